import { base32, otpauthUri, stepAt, stepsOfCode, totpCode } from "./totp.ts";

// The secret of the test vectors for SHA-1.
const SECRET = Buffer.from("12345678901234567890");

describe("TOTP", () => {
  // RFC 6238, appendix B. Its codes have 8 digits; the last 6 of them are the code of 6 digits.
  test.each([
    ["1970-01-01T00:00:59Z", 0x1, "94287082"],
    ["2005-03-18T01:58:29Z", 0x23523ec, "07081804"],
    ["2005-03-18T01:58:31Z", 0x23523ed, "14050471"],
    ["2009-02-13T23:31:30Z", 0x273ef07, "89005924"],
    ["2033-05-18T03:33:20Z", 0x3f940aa, "69279037"],
    ["2603-10-11T11:33:20Z", 0x27bc86aa, "65353130"],
  ])("at %s is that of RFC 6238", (time, step, code) => {
    expect(stepAt(new Date(time))).toBe(step);
    expect(totpCode(SECRET, step)).toBe(code.slice(2));
  });

  test("a code is accepted one step early and one step late, and no further", () => {
    const now = new Date("2026-11-25T12:00:15Z");
    const step = stepAt(now);
    const accepted = [-2, -1, 0, 1, 2].map((offset) =>
      stepsOfCode(SECRET, totpCode(SECRET, step + offset), now),
    );
    expect(accepted).toEqual([[], [step - 1], [step], [step + 1], []]);
  });

  test.each(["", "12345", "1234567", "abcdef", "１２３４５６"])("%j is no code", (code) => {
    expect(stepsOfCode(SECRET, code, new Date())).toEqual([]);
  });

  test.each([
    ["", ""],
    ["f", "MY"],
    ["foobar", "MZXW6YTBOI"],
    ["12345678901234567890", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"],
  ])("base32 of %j is %j", (text, encoded) => {
    expect(base32(Buffer.from(text))).toBe(encoded);
  });

  test("the address for apps names secret, issuer and account", () => {
    expect(otpauthUri(SECRET, "ada+1@shop.example")).toBe(
      "otpauth://totp/Tradepost:ada%2B1%40shop.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Tradepost&algorithm=SHA1&digits=6&period=30",
    );
  });
});
