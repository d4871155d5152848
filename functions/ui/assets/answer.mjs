// The answer panel: what /answer says, each statement with numbers that lead to its evidence.

import { questionOf } from "./address.mjs";
import { announce } from "./wording.mjs";

const FIRST = 3; // statements that are shown at once
const OWN_GENERATORS = ["extractive", "facts"]; // the others are language models

/**
 * What an answer is made of: `claims` with the numbers they cite, `evidence` by source with the
 * quotes that prove them, `missing` parts of the question, and the `text` where nothing is claimed.
 */
export function partsOf(answer) {
  if (!answer.accepted_for_delivery) {
    return { claims: [], evidence: [], missing: [], text: unescaped(answer.answer) };
  }
  const claims = answer.claims.map(({ text, citations }) => ({ text: text.trim(), citations }));
  const said = new Set(claims.map((claim) => wordsOf(claim.text)));
  const evidence = answer.sources.map((source) => ({
    number: source.number,
    title: placeOf(source),
    path: source.path,
    link: webAddress(source.source_url),
    quotes: unique(
      answer.claims
        .filter((claim) => claim.citations.includes(source.number))
        .map((claim) => seen(claim.quote))
        // A statement in the page's own words need not be read twice.
        .filter((quote) => !said.has(wordsOf(quote))),
    ),
  }));
  return { claims, evidence, missing: answer.missing, text: "" };
}

/** An address that a browser may follow; what a wiki's settings say may be anything. */
export function webAddress(url) {
  return /^(https?:\/\/|\/)/i.test(url) ? url : "";
}

/** Markdown's escapes undone: the page shows the text as it is. */
export function unescaped(markdown) {
  return markdown.replace(/\\([!-/:-@[-`{-~])/g, "$1");
}

/** A quotation as a reader sees it: of a link its text, no marks, on one line. */
export function seen(markdown) {
  return unescaped(
    markdown
      .replace(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, "$1")
      .replace(/^\s*(?:#{1,6}|[-+*]|>)\s+/gm, "")
      .replace(/\*\*|`+|~~/g, "")
      .replace(/\s*\|\s*/g, " "),
  )
    .replace(/\s+/g, " ")
    .trim();
}

function placeOf({ title, heading }) {
  return heading && heading !== title ? `${title} › ${heading}` : title;
}

function wordsOf(text) {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}

function unique(texts) {
  return [...new Set(texts)].filter(Boolean);
}

export class AnswerPanel {
  #panel;
  #address;
  #key;
  #wording;
  #button;

  constructor(panel, { address, key, wording }) {
    this.#panel = panel;
    this.#address = address;
    this.#key = key;
    this.#wording = wording;
    this.#button = panel.querySelector("button");
  }

  /** Show the panel; a question is answered at once, of mere words a button offers it. */
  start() {
    this.#panel.hidden = false;
    this.#button.addEventListener("click", () => this.#ask());
    this.#panel.addEventListener("click", (event) => this.#goToEvidence(event));
    if ("asks" in this.#panel.dataset) this.#ask();
  }

  async #ask() {
    this.#button.hidden = true;
    this.#panel.setAttribute("aria-busy", "true");
    const waiting = element("p", { class: "note" }, this.#wording.say("reading"));
    this.#panel.append(waiting);
    try {
      this.#show(await this.#answer());
    } catch (error) {
      const message = this.#wording.say("no_answer", { reason: error.message });
      this.#panel.append(element("p", { class: "message", role: "alert" }, message));
      this.#button.hidden = false;
    } finally {
      waiting.remove();
      this.#panel.removeAttribute("aria-busy");
    }
  }

  async #answer() {
    const body = questionOf(new URLSearchParams(location.search));
    body.query = this.#panel.dataset.question;
    for (const old of this.#panel.querySelectorAll(".message")) old.remove();
    let response;
    try {
      response = await fetch(this.#address, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...this.#key.headers },
        body: JSON.stringify(body),
      });
    } catch {
      throw new Error(this.#wording.say("no_server"));
    }
    const said = await response.json().catch(() => ({ reason: String(response.status) }));
    if (!response.ok) throw new Error(said.reason ?? String(response.status));
    return said;
  }

  #show(answer) {
    const { claims, evidence, missing, text } = partsOf(answer);
    const lang = answer.language || null;
    // Facts are certain by themselves; what pages say is no surer than that they answer at all.
    if ("uncertain" in this.#panel.dataset && claims.length && answer.engine !== "graph") {
      this.#panel.classList.add("uncertain");
      this.#panel.querySelector("h2").textContent = this.#wording.say("maybe");
    }
    const shown = [];
    if (text) shown.push(element("p", { class: "refusal", lang }, text));
    if (claims.length) {
      // What answers best comes first; what stands around it is there for who wants to read on.
      const items = claims.map((claim) => element("li", {}, claim.text, " ", ...this.#marks(claim)));
      shown.push(element("ul", { class: "claims", lang }, ...items.slice(0, FIRST)));
      if (items.length > FIRST) shown.push(this.#further(items.slice(FIRST), lang));
    }
    if (missing.length) {
      const parts = missing.map((part) => element("li", {}, part));
      shown.push(element("h3", {}, this.#wording.say("missing")), element("ul", {}, ...parts));
    }
    if (evidence.length) {
      const places = evidence.map((place) => this.#evidence(place));
      const engine = this.#wording.say(answer.engine === "graph" ? "from_graph" : "from_pages");
      const isModel = !OWN_GENERATORS.includes(answer.generator);
      const by = isModel ? `${engine}, ${answer.generator}` : engine;
      shown.push(element("h3", {}, this.#wording.say("evidence"), element("small", {}, ` ${by}`)));
      shown.push(element("ol", { class: "evidence" }, ...places));
    }
    this.#panel.append(...shown);
    announce(text || claims.map((claim) => claim.text).join(" "));
  }

  #further(items, lang) {
    const count = this.#wording.say("more", { n: items.length });
    const list = element("ul", { class: "claims", lang }, ...items);
    return element("details", {}, element("summary", {}, count), list);
  }

  #marks({ citations }) {
    return citations.map((number) =>
      element(
        "a",
        {
          class: "cite",
          href: `#evidence-${number}`,
          "aria-label": `${this.#wording.say("evidence")} ${number}`,
        },
        `[${number}]`,
      ),
    );
  }

  #evidence({ number, title, path, link, quotes }) {
    const shown = link ? element("a", { href: link }, title) : element("span", {}, title);
    const parts = [shown, element("code", {}, path)];
    const article = document.querySelector(`article[data-id="${CSS.escape(path)}"]`);
    if (article) {
      article.id ||= `page-${number}`;
      const words = this.#wording.say("in_results");
      parts.push(element("a", { class: "near", href: `#${article.id}` }, words));
    }
    const said = quotes.map((quote) => element("blockquote", {}, quote));
    return element("li", { id: `evidence-${number}`, value: number, tabindex: "-1" }, ...parts, ...said);
  }

  #goToEvidence(event) {
    const link = event.target.closest('a[href^="#"]');
    if (!link || !this.#panel.contains(link)) return;
    // Without a step in the browser's history, which would lead back to the same view.
    event.preventDefault();
    const target = document.getElementById(link.getAttribute("href").slice(1));
    if (!target) return;
    target.closest("details.others")?.setAttribute("open", "");
    for (const old of document.querySelectorAll(".pointed")) old.classList.remove("pointed");
    target.classList.add("pointed");
    target.tabIndex = -1;
    target.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
  }
}

function element(name, attributes, ...content) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== null) made.setAttribute(attribute, value);
  }
  made.append(...content);
  return made;
}
