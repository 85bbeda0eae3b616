import { canonicalJson } from "./canonical-json.ts";
import { isRawNumber, parseJson } from "./exact-json.ts";

describe("exact JSON", () => {
  test.each([
    '{"id":12345678901234567890}',
    '{"pi":3.14159265358979323846264338327950288}',
    '{"tiny":1e-400,"huge":1e400}',
    '{"plain":[1,2.5,-3,0,true,null,"1e5"]}',
  ])("reads and writes %s without a change", (text) => {
    expect(JSON.stringify(parseJson(text))).toBe(text);
  });

  test("reads numbers that a double can hold as numbers", () => {
    expect(parseJson('{"a":99999999999.9999,"b":1e3,"c":1.50000000000000000,"d":-0.0}')).toEqual({
      a: 99999999999.9999,
      b: 1000,
      c: 1.5,
      d: -0,
    });
  });

  test.each([
    ["1e22", 1e22],
    ["123456789012345e-20", 123456789012345e-20],
    ["9007199254740993", "raw"],
    ["1e-320", 1e-320],
    ["12345678e-325", "raw"],
    ["-0e5", -0],
    [`1.5${"0".repeat(390)}`, 1.5],
    [`1.5${"0".repeat(400)}`, "raw"],
    [`1${"0".repeat(300_000)}`, "raw"],
  ])("knows exactly whether a double can hold %p", (text, expected) => {
    const value = parseJson(text);
    if (expected === "raw") expect([isRawNumber(value), JSON.stringify(value)]).toEqual([true, text]);
    else expect(value).toBe(expected);
  });

  test("agrees with exact arithmetic on random numbers", () => {
    for (let run = 0; run < 20_000; run += 1) {
      const digits = String(BigInt(Math.floor(Math.random() * 2 ** 53)) * 10n ** BigInt(run % 4)).slice(
        0,
        1 + (run % 20),
      );
      const text = `${run % 2 ? "-" : ""}1${digits}.${digits}e${(run % 640) - 320}`;
      const value = parseJson(text);
      expect([text, isRawNumber(value)]).toEqual([text, !isSameNumber(text, String(Number(text)))]);
    }
  });

  test("reads JSON of any depth and writes its canonical text", () => {
    for (const number of ["1", "12345678901234567890"]) {
      const text = `${"[".repeat(200_000)}${number}${"]".repeat(200_000)}`;
      const value = parseJson(text);
      expect(canonicalJson(value)).toHaveLength(400_000 + (number === "1" ? 1 : 20));
    }
  });

  test("keeps digits at the greatest depth that a body may have", () => {
    const text = `${'{"a":['.repeat(50)}12345678901234567890${"]}".repeat(50)}`;
    expect(JSON.stringify(parseJson(text))).toBe(text);
  });
});

/** Compares two decimals as integers, scaled to the smaller of their powers of ten. */
function isSameNumber(one: string, other: string): boolean {
  const parts = (text: string) => {
    const [mantissa = "", exponent = "0"] = text.split("e");
    const [whole = "", fraction = ""] = mantissa.split(".");
    return { digits: BigInt(whole + fraction), power: Number(exponent) - fraction.length };
  };
  if (!Number.isFinite(Number(other))) return false;
  const [a, b] = [parts(one), parts(other)];
  const power = Math.min(a.power, b.power);
  return a.digits * 10n ** BigInt(a.power - power) === b.digits * 10n ** BigInt(b.power - power);
}
