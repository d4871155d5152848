import assert from "node:assert/strict";
import { test } from "node:test";

import { partsOf, seen, unescaped, webAddress } from "../../../../functions/ui/assets/answer.mjs";

function answered(fields = {}) {
  return {
    accepted_for_delivery: true,
    answer: "It listens on port 8080. [1]",
    claims: [
      { text: "It listens on port 8080.", citations: [1], quote: "listens on **port** `8080`" },
      { text: "It hums all night.", citations: [2, 1], quote: "It *hums* all night." },
    ],
    missing: ["Who owns it?"],
    sources: [
      { number: 1, title: "Server", heading: "Ports", path: "server.md", source_url: "https://w.test/s" },
      { number: 2, title: "Night", heading: "Night", path: "night.md", source_url: "javascript:alert(1)" },
    ],
    ...fields,
  };
}

test("each source has the quotes of what cites it", () => {
  const { claims, evidence, missing, text } = partsOf(answered());
  assert.deepEqual(claims[1], { text: "It hums all night.", citations: [2, 1] });
  assert.deepEqual(evidence[0].quotes, ["listens on port 8080"]);
  assert.deepEqual(missing, ["Who owns it?"]);
  assert.equal(text, "");
});

test("a statement in the page's own words is not quoted a second time", () => {
  assert.deepEqual(partsOf(answered()).evidence[1].quotes, []);
});

test("a source is called by its page and heading, once where they are the same", () => {
  const { evidence } = partsOf(answered());
  assert.deepEqual(evidence.map((place) => place.title), ["Server › Ports", "Night"]);
});

test("only a web address becomes a link", () => {
  assert.deepEqual(partsOf(answered()).evidence.map((place) => place.link), ["https://w.test/s", ""]);
  for (const address of ["javascript:alert(1)", "data:text/html,x", " https://a", "mailto:a@b", ""]) {
    assert.equal(webAddress(address), "");
  }
  assert.equal(webAddress("/wiki/page"), "/wiki/page");
  assert.equal(webAddress("HTTP://a.test"), "HTTP://a.test");
});

test("of a refusal there is its text alone, whatever else was sent", () => {
  const refusal = answered({ accepted_for_delivery: false, answer: "The wiki \\[1\\] doesn't say\\." });
  assert.deepEqual(partsOf(refusal), {
    claims: [],
    evidence: [],
    missing: [],
    text: "The wiki [1] doesn't say.",
  });
});

test("escapes are undone, and a lone backslash stays", () => {
  assert.equal(unescaped("a \\* b \\\\ c:\\d"), "a * b \\ c:\\d");
});

test("a quotation is shown without the marks of Markdown", () => {
  assert.equal(seen("Catalogue\n[GPU *servers*](/a/(b)) and ![x](y)."), "Catalogue GPU *servers* and x.");
  assert.equal(seen("| news | 4,5 | no |"), "news 4,5 no");
  assert.equal(seen("- **Works** `a`\n> b"), "Works a b");
});
