import { EXPIRED_LINK, SIGN_IN_FAILURES } from "./sign-in-failures.ts";

test("each reason of a failed sign-in has a sentence of its own", () => {
  const texts = [...Object.values(SIGN_IN_FAILURES).map((text) => text("Corp")), EXPIRED_LINK];
  expect(new Set(texts.flat()).size).toBe(2 * texts.length);
});
