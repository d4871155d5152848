// The graph as the export embedded it, spread out: entities, relations, and where each stands.

const data = JSON.parse(document.getElementById("data").textContent);

const evidenceOf = (rows) => rows.map(([page, line, lastLine, rule, attribute]) => ({
  path: data.pages[page][0], title: data.pages[page][1], url: data.pages[page][2],
  line, lastLine, rule: data.rules[rule], attribute,
}));

const nodes = data.nodes.map((row, index) => ({
  index, id: "n" + index, key: row[0], name: row[1] || row[0], type: data.types[row[2]],
  x: row[3], y: row[4], radius: row[5], url: row[6], page: row[7], attributes: row[8],
  names: row[9], evidence: row[10], edges: [],
}));

const edges = data.edges.map((row, index) => ({
  index, id: "e" + index, source: nodes[row[0]], target: nodes[row[1]],
  relation: data.relations[row[2]], evidence: row[3],
}));

for (const edge of edges) {
  edge.source.edges.push(edge);
  if (edge.target !== edge.source) edge.target.edges.push(edge);
}

// The best connected first: they are what labels and searches show first.
const byDegree = [...nodes].sort((a, b) => b.edges.length - a.edges.length || a.index - b.index);

const phrases = {
  HAS_DOCUMENT: ["Has the page", "Page of"], AUTHORED: ["Wrote", "Written by"],
  HAS_WORK: ["Worked on", "Work of"], SUPERVISED: ["Supervised", "Supervised by"],
  EVIDENCED_BY: ["Stands on", "Tells of"], ABOUT: ["About", "Treated in"],
  HAS_KEYWORD: ["Has the keyword", "Keyword of"], IN_CATEGORY: ["In the category", "Category of"],
  IN_COLLECTION: ["In the collection", "Holds"], HAS_SECTION: ["Has the section", "Section of"],
  AUTHORED_DOCUMENT: ["Author of the page", "Page by"], DESCRIBES: ["Describes", "Described by"],
  LINKS_TO: ["Links to", "Linked from"], REPLIES_TO: ["Replies to", "Answered by"],
  IS_PERSON: ["Is the person", "Author name of"],
};

const plain = (relation) => relation.toLowerCase().replaceAll("_", " ");

// What a relation is called when it is read from its source, and from its target.
const phrase = (relation, fromSource) => (phrases[relation]
  || [plain(relation), plain(relation) + " (from)"])[fromSource ? 0 : 1];

const strokes = {
  "ł": "l", "đ": "d", "ð": "d", "ø": "o", "ħ": "h", "ŧ": "t", "ß": "ss", "æ": "ae", "œ": "oe",
  "ı": "i", "þ": "th",
};

// Case and diacritics are folded on both sides: a reader may leave them out.
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
  .replace(/[łđðøħŧßæœıþ]/g, (letter) => strokes[letter]);

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    made.setAttribute(name === "className" ? "class" : name, value);
  }
  made.append(...children);
  return made;
}

function dot(type) {
  const made = element("span", { className: "dot", "aria-hidden": "true" });
  made.style.background = made.style.borderColor = `var(--${type}, var(--other))`;
  return made;
}
