import { expect, test } from "@jest/globals";
import { size } from "./size.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [1_234, "1.2 kB"],
  [12_345, "12.3 kB"],
  [99_949, "99.9 kB"],
  [99_950, "100 kB"],
  [999_600, "1.0 MB"],
  [26_214_400, "26.2 MB"],
  [10 * 2 ** 30, "10.7 GB"],
  [5e12, "5000 GB"],
])("%d bytes are %s", (bytes, text) => {
  expect(size(bytes)).toBe(text);
});
