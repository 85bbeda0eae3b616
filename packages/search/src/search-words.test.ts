import { searchTextOf, wordsOf, wordsOfSearch } from "./search-words.ts";

const isFound = (search: string, words: readonly string[]) =>
  wordsOfSearch(search).every((spellings) =>
    spellings.some((word) => searchTextOf(words).includes(` ${word}`)),
  );

describe("the words of a value", () => {
  test.each([
    ["Ada Lovelace", ["ada", "lovelace"]],
    ["ada@example.com", ["ada@example.com", "example.com", "com"]],
    ["O'Brien-Núñez", ["o'brien-nunez", "brien-nunez", "nunez"]],
    ["WEB-5012", ["web-5012", "5012"]],
    ["(new)", ["(new)", "new)"]],
    ["１２３", ["123"]],
    ["ΟΔΟΣ", ["οδοσ"]],
    ["Łukasz Ørsted", ["lukasz", "orsted"]],
    ["Weiß WEISS ẞ", ["weiss", "ss"]],
    ["Đorđe Æsir Hıdır", ["dorde", "aesir", "hidir"]],
    ["李 小龙", ["李", "小龙"]],
    ["  ", []],
  ])("%s are %j", (value, words) => expect(wordsOf([value])).toEqual(words));

  test("are each there once, and missing values have none", () => {
    expect(wordsOf(["1001", "1001", null, undefined])).toEqual(["1001"]);
  });

  test("have at most 40 characters, as in a search", () => {
    expect(wordsOf(["x".repeat(500)])).toEqual(["x".repeat(40)]);
    expect(isFound("X".repeat(100), wordsOf(["x".repeat(500)]))).toBe(true);
    expect([...(wordsOf(["😀".repeat(300)])[0] ?? "")]).toHaveLength(40);
  });

  test("are at most 16, those after a blank first, and at most 64 of a row", () => {
    const letters = Array.from("abcdefghijklmnopqrst");
    expect(wordsOf([letters.join("!")])).toHaveLength(16);
    expect(wordsOf([`${letters.join("!")} Last`]).slice(0, 2)).toEqual([letters.join("!"), "last"]);
    const values = Array.from({ length: 6 }, (_, value) => letters.map((letter) => letter + value).join(" "));
    expect(wordsOf(values)).toHaveLength(64);
  });
});

test("what people write before the number of an order is not searched for", () => {
  for (const before of ["#", "Order ", " BESTELLUNG #", "commande ", "pedido ", "ordine #", "＃"])
    expect(wordsOfSearch(`${before}2913 Ada`)).toEqual([["2913"], ["ada"]]);
  for (const text of ["order", "order ada", "#web-"])
    expect(wordsOfSearch(text).map(([first]) => first)).toEqual(text.split(" "));
});

describe("letters match the two that people write for them, and these match the letter", () => {
  test.each([
    ["Müller", "Mueller"],
    ["Größe", "GROESSE"],
    ["Ångström", "Aangstroem"],
    ["Æsir", "aesir"],
    ["Bjørn", "Bjoern"],
    ["Jäger-Bär", "jaeger-baer"],
  ])("%s and %s", (one, other) => {
    expect([isFound(one, wordsOf([other])), isFound(other, wordsOf([one]))]).toEqual([true, true]);
    expect([isFound(one, wordsOf([one])), isFound(other, wordsOf([other]))]).toEqual([true, true]);
  });

  test.each(["constructor", "__proto__", "toString"])("%s is a word like any other", (word) => {
    expect(isFound(word, wordsOf([word]))).toBe(true);
  });

  test("but no others", () => {
    expect(isFound("Muller", wordsOf(["Mueller"]))).toBe(false);
    expect(isFound("Mueller", wordsOf(["Moller"]))).toBe(false);
  });

  test("in at most 8 spellings of a word, none of which is the beginning of another", () => {
    expect(wordsOfSearch("blue")).toEqual([["blu"]]);
    expect(wordsOfSearch("äöüåä")[0]).toHaveLength(8);
  });
});

describe("a phone number is found by its last digits", () => {
  const words = (phone: string) => wordsOf([phone], { phones: [phone] });
  test.each([
    ["+49 30 1234567", "030 1234567"],
    ["+49 30 1234567", "1234567"],
    ["+49 (0)30 123-4567", "0049301234567"],
    ["030/1234567", "+49 30 1234567"],
    ["555.010.2030", "+1 (555) 010-2030"],
    ["5550102030", "010-2030"],
    ["+351 210 00 11", "35 12 10 00 11"],
  ])("%s by %s", (phone, search) => expect(isFound(search, words(phone))).toBe(true));
  test.each([
    ["+49 30 1234567", "234567"],
    ["+49 30 1234567", "040 1234567"],
    ["+49 30 1234567", "1234568"],
    ["12345", "0012345"],
  ])("%s not by %s", (phone, search) => expect(isFound(search, words(phone))).toBe(false));
});

test("a code is found by its last 6 characters or more, and by digits in groups", () => {
  const code = "1Z999AA10123456784";
  const words = wordsOf([code], { codes: [code] });
  for (const search of ["456784", "a10123456784", code, "1z999"]) expect(isFound(search, words)).toBe(true);
  for (const search of ["56784", "456785"]) expect(isFound(search, words)).toBe(false);
  expect(isFound("0034 0434 1234", wordsOf(["003404341234"]))).toBe(true);
  expect(isFound("2026-11-28", wordsOf(["2026-11-28"]))).toBe(true);
});

describe("a customer is found", () => {
  const words = wordsOf(["Zoë  Müller", "Zoe.M@Example.com", "+351 (210) 00-11", "+3512100011"]);
  test.each([
    "zo",
    "ZOE",
    "zoë",
    "Mull",
    "müll",
    "zoe.m@ex",
    "m@exam",
    "example",
    "com",
    "+351",
    "210",
    "+3512100011",
    "35121",
    "zo com 351",
  ])("by %s", (search) => expect(isFound(search, words)).toBe(true));
  test.each(["oe", "xample", "zoe smith", "511"])("not by %s", (search) =>
    expect(isFound(search, words)).toBe(false),
  );
});

test("in the text of a search each word follows a blank", () => {
  expect(searchTextOf(["ada", "lovelace"])).toBe(" ada lovelace");
});

test("a search is separated by blanks of any kind", () => {
  expect(wordsOfSearch(" ada\u00a0 Lovelace\tada ")).toEqual([["ada"], ["lovelace", "Eecalevol"], ["ada"]]);
  expect(wordsOfSearch(" \u0301 ")).toEqual([]);
});
