import { describe, expect, test } from "@jest/globals";
import { bytesOfWords, searchTextOf, wordsOf, wordsOfCustomer, wordsOfSearch } from "./search-words.ts";

const isFound = (search: string, words: readonly string[]) =>
  wordsOfSearch(search).every((word) => searchTextOf(words).includes(` ${word}`));

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

  test("have at most 40 characters, and so have those of a search", () => {
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
    expect(bytesOfWords(wordsOf([letters.join(" ")]))).toBe(16 * 153);
  });
});

test("what people write before the number of an order is not searched for", () => {
  for (const before of ["#", "Order ", " BESTELLUNG #", "commande ", "pedido ", "ordine #"])
    expect(wordsOfSearch(`${before}2913 Ada`)).toEqual(["2913", "ada"]);
  for (const text of ["order", "order ada", "#web-5"]) expect(wordsOfSearch(text)).toEqual(text.split(" "));
});

describe("a customer is found", () => {
  const words = wordsOfCustomer({
    name: "Zoë  Müller",
    email: "Zoe.M@Example.com",
    phone: "+351 (210) 00-11",
  });
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
  expect(wordsOfSearch(" ada\u00a0 Lovelace\tada ")).toEqual(["ada", "lovelace", "ada"]);
  expect(wordsOfSearch(" \u0301 ")).toEqual([]);
});
