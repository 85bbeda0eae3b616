import { currency, email, minorDigitsOf, name, timeZone } from "./fields.ts";

describe("an e-mail address", () => {
  test.each([
    "o'brien@example.com",
    "a+b-c_d@example.co.uk",
    "UPPER@EXAMPLE.COM",
    "srs0=ab=x=example.org=anna@relay.example.com",
    "anna&bob@example.com",
    "a/b@example.com",
    "!#$%*?^{|}~x@example.com",
    "anna'@example.com",
    "-x-@example.com",
    "anna@example.xn--p1ai",
    "anna@xn--bcher-kva.example",
    "anna@1example.com",
    "x@y.io",
    `${"l".repeat(64)}@${"d".repeat(63)}.example`,
  ])("may be %s", (address) => {
    expect(email.parse(address)).toBe(address);
  });

  test.each([
    ...["", "example.com", "@example.com", "a@", "a@b", "a@b@example.com", "a@example.com, b@example.com"],
    ...[".a@example.com", "a.@example.com", "a..b@example.com"],
    ...[
      "a b@example.com",
      "a@exa mple.com",
      " a@example.com",
      "a@example.com ",
      "a@example.com\n",
      "a\u0000@example.com",
    ],
    ...[
      "a@.example.com",
      "a@example..com",
      "a@example.com.",
      "a@-example.com",
      "a@example-.com",
      "a@example.c-",
    ],
    ...["a@127.0.0.1", "a@[127.0.0.1]", "a@example.1", `a@${"d".repeat(64)}.example`, "a@exa_mple.com"],
    ...["<a@example.com>", "A <a@example.com>", '"a b"@example.com', "a\\b@example.com", "a,b@example.com"],
    ...[
      "a:b@example.com",
      "a;b@example.com",
      "a(b)@example.com",
      "ä@example.com",
      `${"l".repeat(400)}@example.com`,
    ],
  ])("is not %j", (address) => {
    expect(email.safeParse(address).success).toBe(false);
  });
});

describe("a name", () => {
  test.each([
    "Ada Lovelace",
    "אדה",
    "Ada \u200d",
    "👩\u200d💻",
    "❤\ufe0f",
    "Wales \u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
  ])("may be %s", (text) => {
    expect(name(200).parse(text)).toBe(text);
  });

  test.each([
    ["the direction of text", ["admin\u202etxt.exe", "\u2066a\u2069", "a\u202a"]],
    ["tags", ["a\u{e0041}", "\u{e0001}a", "\u{1f3f4}\u{e0068}\u{e0069}\u{e007f}"]],
    ["only invisible characters", ["\u200b", "\u200b \u2060", "\ufeff\u3164", "\u00ad", "\u2800"]],
  ])("refuses %s", (_what, texts) => {
    for (const text of texts) {
      expect(name(200).safeParse(text).error?.issues).toMatchObject([
        { message: expect.stringMatching(/^must not (contain|be empty)/) },
      ]);
    }
  });

  test("names each fault once", () => {
    const { error } = name(200).safeParse(" ");
    expect(error?.issues.map(({ message }) => message)).toEqual(["must not be empty"]);
  });
});

test.each([
  ["USD", 2],
  ["JPY", 0],
  ["KWD", 3],
  ["CLF", 4],
  ["XCG", 2],
  ["XXX", 0],
  ["ABC", null],
  ["usd", null],
  ["USDX", null],
])("the minor digits of %s are %s", (code, digits) => {
  expect(minorDigitsOf(code)).toBe(digits);
});

test.each([
  ["USD", true],
  ["XOF", true],
  ["XCG", true],
  ["XXX", false],
  ["XTS", false],
  ["XAU", false],
  ["ABC", false],
  ["usd", false],
])("whether %s is a currency: %j", (code, is) => {
  expect(currency.safeParse(code).success).toBe(is);
});

test.each([
  ["Europe/Lisbon", true],
  ["europe/lisbon", true],
  ["UTC", true],
  ["Mars/Olympus", false],
  ["+02:00", false],
  ["", false],
])("%s is a time zone: %s", (name, is) => expect(timeZone.safeParse(name).success).toBe(is));
