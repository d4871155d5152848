// What a reader does: choose an entity, hide a type, move about, with the mouse or the keyboard.

const legend = document.getElementById("legend");
const status = document.getElementById("status");
const say = (text) => { status.textContent = text; };

function choose(node, { move = false, focus = false } = {}) {
  if (node && !isVisible(node)) toggle(node.type);
  highlight(node);
  if (node) {
    showPanel(node);
    say(`${node.type} ${node.name}, ${node.edges.length} relations`);
    if (focus) panel.focus();
  } else {
    panel.hidden = true;
    say("Nothing is chosen");
  }
  cy.resize();
  if (node && move) centreOn(node);
}

function toggle(type) {
  const button = legend.querySelector(`[data-type="${CSS.escape(type)}"]`);
  const shown = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(shown));
  showType(type, shown);
}

function clear() {
  query.value = "";
  search();
  if (chosen) choose(null);
}

for (const type of data.types) {
  const count = nodes.filter((node) => node.type === type).length;
  if (!count) continue;
  const button = element("button", { type: "button", "aria-pressed": "true", "data-type": type },
    dot(type), type, element("span", { className: "count" }, count.toLocaleString("en")));
  button.onclick = () => toggle(type);
  legend.append(button);
}

cy.on("tap", (event) => {
  if (event.target === cy) choose(null);
  else if (event.target.isNode()) choose(dataOf(event.target));
});

const stepInPixels = 80;
const keys = {
  ArrowLeft: () => cy.panBy({ x: stepInPixels, y: 0 }),
  ArrowRight: () => cy.panBy({ x: -stepInPixels, y: 0 }),
  ArrowUp: () => cy.panBy({ x: 0, y: stepInPixels }),
  ArrowDown: () => cy.panBy({ x: 0, y: -stepInPixels }),
  "+": () => zoomBy(1.4), "=": () => zoomBy(1.4), "-": () => zoomBy(1 / 1.4), 0: showAll,
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") clear();
  const typing = event.target === query || event.ctrlKey || event.metaKey || event.altKey;
  if (event.key === "/" && !typing) {
    query.focus();
    event.preventDefault();
  } else if (keys[event.key] && event.target === container && !typing) {
    keys[event.key]();
    event.preventDefault();
  }
});

document.getElementById("zoom-in").onclick = () => zoomBy(1.4);
document.getElementById("zoom-out").onclick = () => zoomBy(1 / 1.4);
document.getElementById("fit").onclick = showAll;
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  readColours();
  cy.style(styleSheet());
});
new ResizeObserver(() => cy.resize()).observe(document.getElementById("stage"));
document.documentElement.dataset.ready = "true";
