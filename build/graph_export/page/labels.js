// Labels are drawn over the graph at a constant size, none on another: hubs first, the others
// once they are large enough to point at.

const canvas = document.getElementById("labels");
const pen = canvas.getContext("2d");
const font = (weight, size) => `${weight} ${size}px system-ui, "Segoe UI", "Noto Sans", sans-serif`;
const mostLabels = 160, hubs = 30, longest = 30, smallestRadius = 8, mostEdgeLabels = 24, mostDiscs = 150;
let hovered = null;

function short(text) {
  const most = chosen ? 1.5 * longest : longest;
  return text.length > most ? text.slice(0, most - 1).trimEnd() + "…" : text;
}

function placed(taken, box) {
  const free = box.x1 > -40 && box.y1 > -20 && !taken.some((other) => box.x1 < other.x2
    && box.x2 > other.x1 && box.y1 < other.y2 && box.y2 > other.y1);
  if (free) taken.push(box);
  return free;
}

function write(text, x, y, colour) {
  pen.lineWidth = 3.5;
  pen.lineJoin = "round";
  pen.strokeStyle = colours.halo;
  pen.strokeText(text, x, y);
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
}

// What labels keep clear of, as long as there is a chance to: the nodes in the window.
function discs() {
  const { x1, x2, y1, y2 } = cy.extent(), zoom = cy.zoom(), pan = cy.pan();
  const inside = nodes.filter((node) => isVisible(node) && (!chosen || near.has(node))
    && node.x > x1 && node.x < x2 && node.y > y1 && node.y < y2);
  return inside.length > mostDiscs ? [] : inside.map((node) => {
    const x = node.x * zoom + pan.x, y = node.y * zoom + pan.y, half = node.radius * zoom * 0.8;
    return { x1: x - half, x2: x + half, y1: y - half, y2: y + half };
  });
}

function labelNode(node, taken, must) {
  const zoom = cy.zoom(), pan = cy.pan();
  const x = node.x * zoom + pan.x, y = node.y * zoom + pan.y, radius = node.radius * zoom;
  if (x < -60 || y < -30 || x > cy.width() + 60 || y > cy.height() + 30) return;
  pen.font = font(node === chosen || node === hovered ? 650 : 450, node === chosen ? 14 : 12);
  const text = short(node.name), half = pen.measureText(text).width / 2 + 3;
  for (const top of [y + radius + 2, y - radius - 17]) {
    if (placed(taken, { x1: x - half, x2: x + half, y1: top, y2: top + 15 }) || must) {
      write(text, x, top + 12, colours.text);
      return;
    }
  }
}

function labelEdge(edge, taken) {
  const zoom = cy.zoom(), pan = cy.pan();
  const x = ((edge.source.x + edge.target.x) / 2) * zoom + pan.x;
  const y = ((edge.source.y + edge.target.y) / 2) * zoom + pan.y;
  const length = Math.hypot(edge.source.x - edge.target.x, edge.source.y - edge.target.y) * zoom;
  pen.font = font(400, 10.5);
  const text = plain(edge.relation), half = pen.measureText(text).width / 2 + 2;
  if (length < 2 * half || !isVisible(edge.source) || !isVisible(edge.target)) return;
  if (placed(taken, { x1: x - half, x2: x + half, y1: y - 7, y2: y + 6 })) {
    write(text, x, y + 3, colours.quiet);
  }
}

// Where they are many, only the one that leads to what the mouse points at.
const isLabelled = (edge, _, all) => all.length <= mostEdgeLabels
  || (hovered && (edge.source === hovered || edge.target === hovered) && hovered !== chosen);

function drawLabels() {
  const ratio = window.devicePixelRatio || 1, width = cy.width(), height = cy.height();
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.textAlign = "center";
  const taken = discs();
  const room = taken.length + mostLabels;
  if (hovered && isVisible(hovered)) labelNode(hovered, taken, true);
  if (chosen && isVisible(chosen)) labelNode(chosen, taken, true);
  let rank = 0;
  for (const node of byDegree) {
    if (taken.length >= room) break;
    if (!isVisible(node) || node === hovered || node === chosen) continue;
    rank += 1;
    if (chosen ? near.has(node) : rank <= hubs || node.radius * cy.zoom() >= smallestRadius) {
      labelNode(node, taken, false);
    }
  }
  if (chosen) chosen.edges.filter(isLabelled).forEach((edge) => labelEdge(edge, taken));
}

cy.on("render", drawLabels);
cy.on("mouseover", "node", (event) => {
  hovered = dataOf(event.target);
  container.style.cursor = "pointer";
  drawLabels();
});
cy.on("mouseout", "node", () => {
  hovered = null;
  container.style.cursor = "";
  drawLabels();
});
