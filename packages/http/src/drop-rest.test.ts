import { msUntilDue } from "./drop-rest.ts";

const MIB = 1024 * 1024;

test("the rest of a JSON body is read at once, and of the largest upload within the 10 s after which the connection is destroyed", () => {
  expect(msUntilDue(2 * MIB)).toBe(0);
  expect(msUntilDue(6 * MIB)).toBe(1_024);
  expect(msUntilDue(25 * MIB)).toBeLessThan(6_000);
  expect(msUntilDue(32 * MIB)).toBeLessThan(8_000);
});
