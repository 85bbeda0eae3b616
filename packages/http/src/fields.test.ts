import { describe, expect, test } from "@jest/globals";
import { email } from "./fields.ts";

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
