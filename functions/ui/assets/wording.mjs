// What the scripts say, in the language of the page.

export class Wording {
  #words;

  constructor(words) {
    this.#words = words;
  }

  /** The words called `name`, with `{…}` filled in. */
  say(name, fields = {}) {
    const words = this.#words[name];
    if (words === undefined) throw new Error(`the page has no words for ${name}`);
    return words.replace(/\{(\w+)\}/g, (whole, field) => fields[field] ?? whole);
  }
}

/** Tells whoever cannot see what has changed. */
export function announce(text) {
  document.querySelector("#status").textContent = text;
}
