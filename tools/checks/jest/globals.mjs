// Replaces "@jest/globals" in test files, which Node itself loads. A module that several test files import binds to these
// variables once. They always hold the functions of the test file that is running.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, test;

/** Called before a test file is loaded. */
export function setGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } = globals);
}
