// Makes the page quicker to use; without it, the form and the links work as they are.

import { AnswerPanel } from "./answer.mjs";
import { showCopyButtons } from "./copying.mjs";
import { Key } from "./key.mjs";
import { Suggestions } from "./suggestions.mjs";
import { Views } from "./views.mjs";
import { Wording } from "./wording.mjs";

const base = document.body.dataset.base;
const wording = new Wording(JSON.parse(document.querySelector("#words").textContent));
const key = new Key(document.querySelector("#key"), document.querySelector("#enter-key"), wording);
const form = document.querySelector("#search");
const input = form.elements.q;
const views = new Views({ form, key, wording, shown: enhance });
const suggestions = new Suggestions({
  input,
  address: `${base}/suggest`,
  key,
  wording,
  narrowing: () => new FormData(form),
  chosen: () => form.requestSubmit(),
});

function enhance(main) {
  showCopyButtons(main, wording);
  const panel = main.querySelector("#answer");
  if (panel) new AnswerPanel(panel, { address: `${base}/answer`, key, wording }).start();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  suggestions.close();
  views.ask();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-view]");
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey);
  if (link && isPlain) {
    event.preventDefault();
    views.follow(link.getAttribute("href"));
  }
});

// As on many sites: a slash goes to the question, wherever nothing else is being typed.
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, select, textarea, dialog");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    input.focus();
    input.select();
  }
});

window.addEventListener("popstate", () => views.restore());

enhance(document.querySelector("#results"));
if (document.querySelector("#results").dataset.status === "401") views.askForKey();
