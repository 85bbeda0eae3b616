import { addressGuard } from "./address.ts";

const guard = addressGuard([]);
/** Like the service, parses the URL first. */
const allowsUrlHost = (host: string) => guard.allowsHost(new URL(`https://${host}/`).hostname);

describe("an IP address", () => {
  test.each([
    // Notations of the loopback address.
    ...["2130706433", "0x7f000001", "0X7F.1", "017700000001", "0177.0.0.1", "0x7f.0.0.1", "127.1", "127.0.1"],
    ...["127.0.0.1.", "%31%32%37.0.0.1", "127%2e0%2e0%2e1", "１２７.０.０.１", "127。0。0。1", "①②⑦.0.0.1"],
    ...["0", "0x0", "[0:0:0:0:0:0:0:1]", "[::127.0.0.1]", "[::FFFF:7f00:1]"],
    ...["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255"],
    ...["127.0.0.0", "127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255"],
    ...["172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.170", "192.0.0.255", "192.0.2.1"],
    ...["192.31.196.1", "192.52.193.1", "192.88.99.1", "192.168.0.0", "192.168.255.255", "192.175.48.1"],
    ...["198.18.0.0", "198.19.255.255", "198.51.100.1", "203.0.113.1"],
    ...["224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.254", "255.255.255.255"],
  ])("is refused: %s is not public", (host) => {
    expect(allowsUrlHost(host)).toBe(false);
  });

  test.each([
    "256.0.0.1",
    "127.0.0.1.1.1",
    "1.2.3.4.5",
    "0x100000000",
    "[fe80::1%25eth0]",
    "127.0.0.1%00.test",
  ])("does not parse as a URL when it is written %s", (host) => {
    expect(URL.canParse(`https://${host}/`)).toBe(false);
  });

  test.each([
    ...["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255"],
    ...["128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255"],
    ...["192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255"],
    ...["[2001:200::1]", "[2606:4700::1111]", "[2a00:1450:4001:800::200e]"],
  ])("is allowed: %s is public", (host) => {
    expect(allowsUrlHost(host)).toBe(true);
  });

  test.each([
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["IPv4-compatible", "::10.0.0.1"],
    ["IPv4-compatible, of a public address", "::1.1.1.1"],
    ["IPv4-mapped", "::ffff:10.0.0.1"],
    ["IPv4-mapped, of a public address", "::ffff:1.1.1.1"],
    ["IPv4-translated", "::ffff:0:10.0.0.1"],
    ["NAT64", "64:ff9b::169.254.169.254"],
    ["local-use NAT64", "64:ff9b:1::10.0.0.1"],
    ["discard-only", "100::1"],
    ["Teredo", "2001::1"],
    ["benchmarking", "2001:2::1"],
    ["AMT", "2001:3::1"],
    ["AS112", "2001:4:112::1"],
    ["AS112, direct", "2620:4f:8000::1"],
    ["ORCHID", "2001:10::1"],
    ["ORCHIDv2", "2001:20::1"],
    ["drone remote id", "2001:30::1"],
    ["IETF protocol assignments", "2001:1ff::1"],
    ["documentation", "2001:db8::1"],
    ["documentation, RFC 9637", "3fff:fff::1"],
    ["6to4", "2002:a00:1::"],
    ["segment routing", "5f00::1"],
    ["unassigned", "4000::1"],
    ["unique local", "fc00::1"],
    ["unique local, self-assigned", "fd12:3456:789a::1"],
    ["metadata service of a cloud", "fd00:ec2::254"],
    ["link-local", "fe80::1"],
    ["link-local with ISATAP", "fe80::5efe:10.0.0.1"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
  ])("is refused: IPv6 %s", (_, address) => {
    expect(allowsUrlHost(`[${address}]`)).toBe(false);
  });
});

test.each([
  ...["169.254.169.254", "168.63.129.16", "100.100.100.200", "2852039166", "[fd00:ec2::254]"],
  ...["[::ffff:169.254.169.254]", "[fd00:0ec2:0::0254]"],
  ...[
    "[64:ff9b::169.254.169.254]",
    "[64:ff9b:1::168.63.129.16]",
    "[64:ff9b:1:a9fe:a9:fe00::]",
    "[2002:a9fe:a9fe::1]",
  ],
])("the metadata address %s is refused whatever the operator allows", (host) => {
  const allowing = addressGuard(["0.0.0.0/0", "::/0"]);
  expect(allowing.allowsHost(new URL(`https://${host}/`).hostname)).toBe(false);
  expect(allowsUrlHost(host)).toBe(false);
});

test.each([
  ["[64:ff9b::10.0.0.1]", false],
  ["[64:ff9b:1:2::10.0.0.1]", false],
  ["[2002:a00:1::1]", false],
  ["[64:ff9b::1.1.1.1]", true],
  ["[2002:101:101::1]", true],
])("of a range of translated addresses that the operator allows, %s is allowed: %s", (host, isAllowed) => {
  const allowing = addressGuard(["64:ff9b::/96", "64:ff9b:1::/48", "2002::/16"]);
  expect(allowing.allowsHost(host)).toBe(isAllowed);
});

describe("the name localhost", () => {
  test.each([
    ...["localhost", "localhost.", "LOCALHOST", "LocalHost.", "foo.localhost", "a.b.LOCALHOST."],
    ...["%6cocalhost", "ｌocalhost", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ"],
  ])("is recognised when it is written %s", (host) => {
    expect(allowsUrlHost(host)).toBe(false);
  });

  test.each(["localhost.example", "notlocalhost", "local-host", "localhost.com."])(
    "is not recognised in %s",
    (host) => {
      expect(allowsUrlHost(host)).toBe(true);
    },
  );
});

test("addresses are not known while the name server does not respond", async () => {
  const silence = Object.assign(new Error("no response"), { code: "EAI_AGAIN" });
  const { lookup } = addressGuard([], (_name, _options, callback) => callback(silence, []));
  const found = new Promise((resolve) => lookup("receiver.example", { all: true }, resolve));
  expect(await found).toBe(silence);
});
