// From the form to addresses and questions.

const FILTERS = {
  collection: "collections",
  language: "languages",
  year: "years",
  author: "authors",
  tag: "tags",
  category: "categories",
};

/** Fields without those that are empty, as the query of an address. */
export function queryOf(fields) {
  const query = new URLSearchParams();
  for (const [name, value] of fields) {
    if (value.trim()) query.append(name, value.trim());
  }
  return query;
}

/** The body that asks /answer what an address of the page asks. */
export function questionOf(query) {
  const body = { query: query.get("q") ?? "" };
  if (query.get("mode")) body.mode = query.get("mode");
  for (const [parameter, field] of Object.entries(FILTERS)) {
    const values = query.getAll(parameter).filter((value) => value.trim());
    if (values.length) body[field] = parameter === "year" ? values.map(Number) : values;
  }
  if (!["", "0", null].includes(query.get("drafts"))) body.published_only = false;
  return body;
}
