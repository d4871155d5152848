// The drawing: positions come from the export, so nothing is laid out here.

const container = document.getElementById("graph");
const crowded = edges.length > 1500;
const edgeOpacity = crowded ? 0.22 : edges.length > 300 ? 0.38 : 0.55;

let colours = {};
function readColours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue("--" + name).trim();
  colours = { types: {} };
  for (const name of ["back", "edge", "text", "quiet", "halo", "accent"]) colours[name] = colour(name);
  for (const type of data.types) colours.types[type] = colour(type) || colour("other");
}
readColours();

const styleSheet = () => [
  { selector: "node", style: {
    width: "data(size)", height: "data(size)", "border-width": 1, "border-color": colours.back,
    "background-color": (node) => colours.types[node.data("type")], "overlay-opacity": 0,
  } },
  { selector: "edge", style: {
    "curve-style": "haystack", "haystack-radius": 0, width: crowded ? 0.7 : 1.2,
    "line-color": colours.edge, opacity: edgeOpacity, "overlay-opacity": 0,
  } },
  { selector: "node.faded", style: { opacity: 0.13 } },
  { selector: "edge.faded", style: { visibility: "hidden" } },
  { selector: "edge.lit", style: {
    "curve-style": "straight", "target-arrow-shape": "triangle", "arrow-scale": 0.8, width: 1.6,
    opacity: 0.9, "target-arrow-color": colours.edge, "z-index": 5,
  } },
  { selector: "node.chosen", style: { "border-width": 2, "border-color": colours.text } },
  { selector: ".off", style: { display: "none" } },
];

const cy = cytoscape({
  container,
  elements: {
    nodes: nodes.map((node) => ({
      data: { id: node.id, type: node.type, size: 2 * node.radius },
      position: { x: node.x, y: node.y },
    })),
    edges: edges.map((edge) => ({
      data: { id: edge.id, source: edge.source.id, target: edge.target.id },
    })),
  },
  style: styleSheet(),
  layout: { name: "preset", fit: false },
  autoungrabify: true, autounselectify: true, boxSelectionEnabled: false,
  hideEdgesOnViewport: crowded, maxZoom: 8,
});

const dataOf = (item) => (item.isNode() ? nodes : edges)[Number(item.id().slice(1))];

const hiddenTypes = new Set();
const isVisible = (node) => !hiddenTypes.has(node.type);

function showType(type, shown) {
  if (shown) hiddenTypes.delete(type);
  else hiddenTypes.add(type);
  cy.nodes().filter((node) => node.data("type") === type).toggleClass("off", !shown);
}

// The neighbourhood of the chosen node, or null.
let chosen = null;
let near = new Set();

function highlight(node) {
  cy.batch(() => {
    cy.elements(".chosen, .lit, .faded").removeClass("chosen lit faded");
    chosen = node;
    near = new Set();
    if (!node) return;
    near.add(node);
    for (const edge of node.edges) near.add(edge.source).add(edge.target);
    const lit = new Set(node.edges.map((edge) => edge.id));
    cy.nodes().filter((item) => !near.has(dataOf(item))).addClass("faded");
    cy.edges().forEach((item) => item.addClass(lit.has(item.id()) ? "lit" : "faded"));
    cy.getElementById(node.id).addClass("chosen");
  });
}

const stillness = window.matchMedia("(prefers-reduced-motion: reduce)");

function moveTo(view) {
  cy.stop();
  if (stillness.matches) cy.viewport(view);
  else cy.animate(view, { duration: 280, easing: "ease-in-out" });
}

const around = (position, zoom) => ({ zoom, pan: {
  x: cy.width() / 2 - position.x * zoom, y: cy.height() / 2 - position.y * zoom,
} });

// By our own numbers: the library would measure every edge first, for seconds.
function whole() {
  const shown = nodes.filter(isVisible);
  if (!shown.length) return around({ x: 0, y: 0 }, 1);
  const bound = (of, side) => shown.reduce((most, node) => of(most, side(node)), side(shown[0]));
  const left = bound(Math.min, (node) => node.x - node.radius);
  const right = bound(Math.max, (node) => node.x + node.radius);
  const top = bound(Math.min, (node) => node.y - node.radius);
  const bottom = bound(Math.max, (node) => node.y + node.radius);
  const zoom = Math.min(
    (cy.width() - 2 * margin) / (right - left), (cy.height() - 2 * margin) / (bottom - top));
  return around(
    { x: (left + right) / 2, y: (top + bottom) / 2 }, Math.min(largestFit, Math.max(zoom, 0.01)));
}

const margin = 40, largestFit = 1.8;
const showAll = () => moveTo(whole());

function zoomBy(factor) {
  const level = Math.min(cy.maxZoom(), Math.max(cy.minZoom(), cy.zoom() * factor));
  const { w, h, x1, y1 } = cy.extent();
  moveTo(around({ x: x1 + w / 2, y: y1 + h / 2 }, level));
}

function centreOn(node) {
  const readable = Math.max(cy.zoom(), Math.min(cy.maxZoom(), 12 / node.radius, 1.2));
  moveTo(around({ x: node.x, y: node.y }, readable));
}

cy.viewport(whole());
cy.minZoom(Math.min(cy.zoom() / 2, 0.5));
