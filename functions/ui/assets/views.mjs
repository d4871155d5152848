// Views of the page: each is the page that the server makes for an address, put in place of what
// is shown. One renderer, so that a page with scripts and one without say the same.

import { queryOf } from "./address.mjs";
import { announce } from "./wording.mjs";

export class Views {
  #form;
  #key;
  #wording;
  #shown;
  #running = null;

  /** `shown` is called with the main element of each new view. */
  constructor({ form, key, wording, shown }) {
    this.#form = form;
    this.#key = key;
    this.#wording = wording;
    this.#shown = shown;
  }

  /** Ask what the form holds. */
  ask() {
    const query = queryOf(new FormData(this.#form)).toString();
    const path = this.#form.getAttribute("action");
    return this.#show(query ? `${path}?${query}` : path, { isNew: true });
  }

  /** Show the view behind a link. */
  async follow(address) {
    if (await this.#show(address, { isNew: true, fills: true })) {
      window.scrollTo({ top: 0 });
      document.querySelector("#results").focus({ preventScroll: true });
    }
  }

  /** Show the view whose address the browser went back or forward to. */
  restore() {
    return this.#show(location.pathname + location.search, { fills: true });
  }

  /** Ask for a key, and with it for this view again. */
  async askForKey() {
    if (await this.#key.refused()) await this.restore();
  }

  async #show(address, { isNew = false, fills = false }) {
    this.#running?.abort();
    const running = (this.#running = new AbortController());
    const main = document.querySelector("#results");
    main.setAttribute("aria-busy", "true");
    let view;
    try {
      const response = await fetch(address, { headers: this.#key.headers, signal: running.signal });
      view = new DOMParser().parseFromString(await response.text(), "text/html");
      if (!view.querySelector("#results")) throw new Error(`${response.status} is no page`);
    } catch (error) {
      if (error.name === "AbortError") return false;
      main.removeAttribute("aria-busy");
      this.#fail(main);
      return false;
    }
    if (isNew && address !== location.pathname + location.search) {
      history.pushState(null, "", address);
    }
    this.#replace(view, fills);
    if (document.querySelector("#results").dataset.status === "401") await this.askForKey();
    return true;
  }

  #replace(view, fills) {
    document.title = view.title;
    for (const part of ["h1", "#results", "#about", "#session", "#search .filters"]) {
      const old = document.querySelector(part);
      const fresh = document.adoptNode(view.querySelector(part));
      // What was opened to be used stays open.
      if (old.open) fresh.open = true;
      old.replaceWith(fresh);
    }
    if (fills) this.#form.elements.q.value = view.querySelector("#q").value;
    const main = document.querySelector("#results");
    this.#shown(main);
    const said = main.querySelectorAll(":scope > .message, #verdict, #found, .entity > h2");
    announce([...said].map((element) => element.textContent.trim()).join(" "));
  }

  #fail(main) {
    const message = document.createElement("p");
    message.className = "message";
    message.setAttribute("role", "alert");
    message.textContent = this.#wording.say("no_server");
    main.replaceChildren(message);
  }
}
