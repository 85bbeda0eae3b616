import { allowedAddressesInput, isAllowed } from "./allowed-addresses.ts";

test.each([
  [" 203.0.113.7 ", "203.0.113.7"],
  ["203.0.113.7/32", "203.0.113.7"],
  ["203.0.113.0/24", "203.0.113.0/24"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["2001:DB8:0:0::1", "2001:db8::1"],
  ["2001:db8::/32", "2001:db8::/32"],
  ["::/0", "::/0"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::ffff:cb00:7100/120", "203.0.113.0/24"],
])("%s is kept as %s", (text, kept) => {
  expect(allowedAddressesInput.parse([text])).toEqual([kept]);
});

test.each([
  [["203.0.113.7/24"], "must have no bits beyond its prefix"],
  [["2001:db8::1/64"], "must have no bits beyond its prefix"],
  [["::ffff:203.0.113.7/95"], "must have no bits beyond its prefix"],
  [["203.0.113.0/33"], "must have a prefix of at most 32 bits"],
  [["::/129"], "must have a prefix of at most 128 bits"],
  ...[
    "127.1",
    "0x7f.0.0.1",
    "010.0.0.1",
    "fe80::1%eth0",
    "example.com",
    "",
    "1.2.3.4/",
    "1.2.3.4/-1",
    "1.2.3.4/8/8",
  ].map((text) => [[text], "must be an IP address or a CIDR"] as const),
  [[], "must be a list of 1 to 20 addresses"],
  [Array.from({ length: 21 }, (_, index) => `10.0.0.${index}`), "must be a list of 1 to 20 addresses"],
  [["10.0.0.1", "::ffff:10.0.0.1"], "must not repeat an address"],
])("%j is refused: %s", (list, message) => {
  expect(allowedAddressesInput.safeParse(list).error?.issues.map((issue) => issue.message)).toEqual([
    message,
  ]);
});

test("each wrong address is named by its place", () => {
  const { error } = allowedAddressesInput.safeParse(["10.0.0.1", "10.0.0.1/8", "example.com"]);
  expect(error?.issues.map((issue) => issue.path)).toEqual([[1], [2]]);
});

test.each([
  ["203.0.113.255", ["203.0.113.0/24"], true],
  ["203.0.114.0", ["203.0.113.0/24"], false],
  ["::ffff:203.0.113.9", ["203.0.113.0/24"], true],
  ["203.0.113.9", ["::/0"], false],
  ["2001:db8:ffff::1", ["10.0.0.1", "2001:db8::/32"], true],
  ["2001:db9::1", ["2001:db8::/32"], false],
  [null, ["0.0.0.0/0", "::/0"], false],
  [null, null, true],
])("%s is allowed by %j: %s", (ip, allowed, expected) => {
  expect(isAllowed(ip, allowed)).toBe(expected);
});
