import assert from "node:assert/strict";
import { test } from "node:test";

import { queryOf, questionOf } from "../../../../functions/ui/assets/address.mjs";

test("fields that are empty are not in the address", () => {
  const query = queryOf([["q", " čo je toner? "], ["mode", ""], ["tag", " "], ["tag", "nlp"]]);
  assert.equal(query.toString(), "q=%C4%8Do+je+toner%3F&tag=nlp");
});

test("an answer is asked for with the filters of the search", () => {
  const asked = questionOf(
    new URLSearchParams("q=toner&collection=wiki&year=2023&year=2024&author=Eva&mode=lexical"),
  );
  assert.deepEqual(asked, {
    query: "toner",
    mode: "lexical",
    collections: ["wiki"],
    years: [2023, 2024],
    authors: ["Eva"],
  });
});

test("without filters the server's own rules hold", () => {
  assert.deepEqual(questionOf(new URLSearchParams("q=toner&mode=&drafts=")), { query: "toner" });
  assert.deepEqual(questionOf(new URLSearchParams("")), { query: "" });
});

test("unpublished pages are asked only where they were asked for", () => {
  assert.equal(questionOf(new URLSearchParams("q=a&drafts=1")).published_only, false);
  assert.equal(questionOf(new URLSearchParams("q=a&drafts=0")).published_only, undefined);
});
