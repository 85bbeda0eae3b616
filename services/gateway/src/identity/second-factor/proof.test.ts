import { hashOfRecoveryCode, newRecoveryCodes } from "./proof.ts";

test("recovery codes have 80 bits each, in groups of four characters", () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
});

test("a recovery code may be typed in any case, with blanks or without hyphens", () => {
  const typed = ["ABCD-EFGH-IJKL-MNOP", "abcdefghijklmnop", " Abcd efgh ijkl MNOP "];
  const hashes = typed.map((code) => hashOfRecoveryCode("user", code).toString("hex"));
  expect(new Set(hashes).size).toBe(1);
  expect(hashOfRecoveryCode("other", "ABCD-EFGH-IJKL-MNOP").toString("hex")).not.toBe(hashes[0]);
});
