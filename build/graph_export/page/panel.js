// The panel beside the graph: what is known of the chosen entity, and where each fact stands.

const panel = document.getElementById("panel");
const shownAtFirst = 40;

function place(item) {
  const lines = item.lastLine > item.line ? `lines ${item.line}–${item.lastLine}` : `line ${item.line}`;
  const text = `${item.path}, ${lines}`;
  const where = /^https?:\/\//i.test(item.url)
    ? element("a", { href: item.url, target: "_blank", rel: "noopener noreferrer", title: item.title }, text)
    : element("span", { title: item.title }, text);
  const about = item.attribute ? ` · ${plain(item.attribute)}` : "";
  return element("span", { className: "evidence" }, where, about + " · ",
    element("span", { className: "rule" }, item.rule));
}

function list(items, render, className = "") {
  const made = element("ul", { className });
  const add = (some) => made.append(...some.map((item) => element("li", {}, ...render(item))));
  add(items.slice(0, shownAtFirst));
  if (items.length <= shownAtFirst) return [made];
  const more = element("button", { type: "button", className: "more" }, `Show all ${items.length}`);
  more.onclick = () => {
    more.remove();
    add(items.slice(shownAtFirst));
  };
  return [made, more];
}

function link(node) {
  const made = element("button", { type: "button", className: "node" }, dot(node.type), node.name);
  made.title = node.type;
  made.onclick = () => choose(node, { move: true, focus: true });
  return made;
}

function relations(node) {
  const groups = new Map();
  for (const edge of node.edges) {
    const name = phrase(edge.relation, edge.source === node);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(edge);
  }
  const parts = [];
  for (const [name, members] of groups) {
    const other = (edge) => (edge.source === node ? edge.target : edge.source);
    members.sort((a, b) => other(a).name.localeCompare(other(b).name));
    const count = members.length > 1 ? ` (${members.length})` : "";
    parts.push(element("h4", {}, name + count), ...list(
      members, (edge) => [link(other(edge)), ...evidenceOf(edge.evidence).map(place)], "relations"));
  }
  return parts.length ? [element("h3", {}, "Relations"), ...parts] : [];
}

function attributes(node) {
  const rows = Object.entries(node.attributes)
    .filter(([name, value]) => !(name === "title" && value === node.name))
    .map(([name, value]) => [plain(name).replace(/^./, (c) => c.toUpperCase()), String(value)]);
  if (node.names.length) rows.push(["Also", node.names.join(", ")]);
  const made = element("dl");
  for (const [name, value] of rows) made.append(element("dt", {}, name), element("dd", {}, value));
  if (node.page) {
    const shown = /^https?:\/\//i.test(node.url)
      ? element("a", { href: node.url, target: "_blank", rel: "noopener noreferrer" }, node.page)
      : node.page;
    made.append(element("dt", {}, "Page"), element("dd", {}, shown));
  }
  return made.children.length ? [element("h3", {}, "Attributes"), made] : [];
}

function showPanel(node) {
  const close = element("button", { type: "button", className: "close", "aria-label": "Close" }, "×");
  close.onclick = () => choose(null);
  const evidence = evidenceOf(node.evidence);
  panel.replaceChildren(
    element("div", { className: "top" }, dot(node.type), node.type, close),
    element("h2", {}, node.name),
    element("p", { className: "key" }, node.key),
    ...attributes(node),
    ...relations(node),
    ...(evidence.length ? [element("h3", {}, "Evidence"), ...list(evidence, (e) => [place(e)])] : []),
  );
  panel.hidden = false;
  panel.scrollTop = 0;
}
