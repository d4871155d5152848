// Search by name: without case or diacritics, the words in any order.

const query = document.getElementById("query");
const matches = document.getElementById("matches");
const mostMatches = 12;
const folded = byDegree.map((node) => ({
  node, texts: [node.name, ...node.names, node.key].map(fold),
}));
let found = [];
let active = -1;

function score({ texts }, wanted, words) {
  const name = texts[0];
  if (name === wanted) return 4;
  if (name.startsWith(wanted)) return 3;
  if (words.every((word) => (" " + name).includes(" " + word))) return 2;
  return texts.some((text) => words.every((word) => text.includes(word))) ? 1 : 0;
}

function search() {
  const wanted = fold(query.value.trim()), words = wanted.split(/\s+/);
  const scored = wanted ? folded.map((entry) => [score(entry, wanted, words), entry.node]) : [];
  // The sort keeps the order of degree among equals.
  const all = scored.filter(([points]) => points).sort((a, b) => b[0] - a[0]);
  found = all.slice(0, mostMatches).map(([, node]) => node);
  active = found.length ? 0 : -1;
  showMatches(wanted, all.length);
}

function showMatches(wanted, count) {
  matches.replaceChildren(...found.map((node, number) => {
    const option = element("li", { id: "match-" + number, role: "option" }, dot(node.type),
      element("span", { className: "name" }, node.name),
      element("span", { className: "type" }, node.type));
    option.onmousedown = (event) => event.preventDefault();
    option.onclick = () => take(node);
    return option;
  }));
  const rest = count ? `and ${count - found.length} more` : "No entity has such a name.";
  if (wanted && (!count || count > found.length)) {
    matches.append(element("li", { className: "more", role: "presentation" }, rest));
  }
  open(Boolean(wanted));
  mark();
  if (wanted) say(`${count} found`);
}

function open(shown) {
  matches.hidden = !shown;
  query.setAttribute("aria-expanded", String(shown));
}

function mark() {
  matches.querySelectorAll("[role=option]").forEach((option, number) => {
    option.setAttribute("aria-selected", String(number === active));
    if (number === active) option.scrollIntoView({ block: "nearest" });
  });
  if (active >= 0) query.setAttribute("aria-activedescendant", "match-" + active);
  else query.removeAttribute("aria-activedescendant");
}

function take(node) {
  open(false);
  choose(node, { move: true });
}

query.addEventListener("input", search);
query.addEventListener("focus", () => { if (query.value.trim()) search(); });
query.addEventListener("blur", () => open(false));
query.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && found.length) {
    active = (active + step + found.length) % found.length;
    mark();
    event.preventDefault();
  } else if (event.key === "Enter" && found[active]) {
    take(found[active]);
  }
});
