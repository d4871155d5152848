// Suggestions while typing: a combobox as the ARIA authoring practices describe it.

import { announce } from "./wording.mjs";

const PAUSE = 120; // milliseconds without a key before the server is asked
const NARROWING = ["collection", "drafts"];

/** The position after `step` from `at` among `size`, where -1 is the field itself. */
export function moved(at, step, size) {
  return ((at + 1 + step + size + 1) % (size + 1)) - 1;
}

export class Suggestions {
  #input;
  #list;
  #address;
  #key;
  #wording;
  #narrowing;
  #chosen;
  #timer = 0;
  #running = null;
  #at = -1;
  #typed = "";

  /** `narrowing` gives the form's fields, `chosen` is called once one was chosen. */
  constructor({ input, address, key, wording, narrowing, chosen }) {
    this.#input = input;
    this.#address = address;
    this.#key = key;
    this.#wording = wording;
    this.#narrowing = narrowing;
    this.#chosen = chosen;
    this.#list = document.createElement("ul");
    this.#list.id = "suggestions";
    this.#list.hidden = true;
    this.#list.setAttribute("role", "listbox");
    this.#list.setAttribute("aria-label", wording.say("suggestions"));
    input.after(this.#list);
    for (const [name, value] of Object.entries({
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-controls": this.#list.id,
      "aria-expanded": "false",
    })) {
      input.setAttribute(name, value);
    }
    input.addEventListener("input", () => this.#wait());
    input.addEventListener("keydown", (event) => this.#pressed(event));
    input.addEventListener("blur", () => this.close());
    // Before the field loses the focus, or the list would be gone before the click.
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.#choose(option);
    });
  }

  /** Take the list away, and forget what was on its way. */
  close() {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#show([]);
  }

  #wait() {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#timer = setTimeout(() => this.#ask(), PAUSE);
  }

  async #ask() {
    const typed = this.#input.value;
    if (!typed.trim()) return this.#show([]);
    const query = new URLSearchParams({ q: typed.trim() });
    const fields = this.#narrowing();
    if (fields.get("collection")) query.append("collections", fields.get("collection"));
    if (fields.get("drafts")) query.append("published_only", "false");
    const running = (this.#running = new AbortController());
    try {
      const response = await fetch(`${this.#address}?${query}`, {
        headers: this.#key.headers,
        signal: running.signal,
      });
      // Suggestions are a comfort: whatever is wrong is said once something is searched for.
      const found = response.ok ? (await response.json()).suggestions : [];
      if (!running.signal.aborted) this.#show(found, typed);
    } catch {
      if (!running.signal.aborted) this.#show([]);
    }
  }

  #show(found, typed = "") {
    this.#typed = typed;
    const options = found.map(({ text, kind }, position) =>
      option(text, this.#wording.say(kind), position),
    );
    this.#list.replaceChildren(...options);
    this.#list.hidden = found.length === 0;
    this.#input.setAttribute("aria-expanded", String(found.length > 0));
    this.#point(-1);
    if (found.length) announce(`${this.#wording.say("suggestions")}: ${found.length}`);
  }

  #pressed(event) {
    const options = this.#list.children;
    if (event.isComposing || !options.length) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      this.#point(moved(this.#at, event.key === "ArrowDown" ? 1 : -1, options.length));
      this.#input.value = this.#at < 0 ? this.#typed : options[this.#at].dataset.text;
    } else if (event.key === "Escape") {
      event.preventDefault(); // which would empty a search field
      this.#input.value = this.#typed;
      this.close();
    } else if (event.key === "Enter" && this.#at >= 0) {
      event.preventDefault();
      this.#choose(options[this.#at]);
    }
  }

  #point(at) {
    this.#at = at;
    [...this.#list.children].forEach((option, position) => {
      option.setAttribute("aria-selected", String(position === at));
      if (position === at) option.scrollIntoView({ block: "nearest" });
    });
    if (at < 0) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", this.#list.children[at].id);
  }

  #choose(option) {
    this.#input.value = option.dataset.text;
    this.close();
    this.#chosen();
  }
}

function option(text, kind, position) {
  const item = document.createElement("li");
  item.id = `suggestion-${position}`;
  item.dataset.text = text;
  item.setAttribute("role", "option");
  const label = document.createElement("small");
  label.textContent = kind;
  item.append(text, " ", label);
  return item;
}
