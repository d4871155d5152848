import assert from "node:assert/strict";
import { test } from "node:test";

import { moved } from "../../../../functions/ui/assets/suggestions.mjs";

test("the arrows go round, through the field itself", () => {
  assert.deepEqual([-1, 0, 1, 2].map((at) => moved(at, 1, 3)), [0, 1, 2, -1]);
  assert.deepEqual([-1, 0, 1, 2].map((at) => moved(at, -1, 3)), [2, -1, 0, 1]);
});

test("of one suggestion the arrows choose it and let it go", () => {
  assert.equal(moved(-1, 1, 1), 0);
  assert.equal(moved(0, 1, 1), -1);
});
