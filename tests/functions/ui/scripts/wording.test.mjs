import assert from "node:assert/strict";
import { test } from "node:test";

import { Wording } from "../../../../functions/ui/assets/wording.mjs";

test("words are filled in, and what is not given stays as it is", () => {
  const wording = new Wording({ no_answer: "Nothing: {reason} {other}" });
  assert.equal(wording.say("no_answer", { reason: "<b>$&</b>" }), "Nothing: <b>$&</b> {other}");
});

test("words that the page does not have are an error, not an empty button", () => {
  assert.throws(() => new Wording({}).say("copied"), /copied/);
});
