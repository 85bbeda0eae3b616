// Takes the place of "@jest/globals" in test files, which Node itself loads. A module that several test files import binds to
// these once; they always are the functions of the test file that runs.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, test;

/** Called before a test file is loaded. */
export function setGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } = globals);
}
