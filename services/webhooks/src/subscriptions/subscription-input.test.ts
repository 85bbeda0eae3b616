// The URLs and headers that a subscription may have (interface §7). `address.test.ts` has all kinds of addresses.
import { ReceivedJson } from "@tradepost/json";
import { addressGuard } from "../endpoint/address.ts";
import { urlInput } from "../endpoint/url-input.ts";
import { subscriptionInputs } from "./subscription-input.ts";

const url = urlInput(addressGuard([]));

const REFUSED: Record<string, unknown[]> = {
  "must point to an address on the public internet": [
    ...["https://127.0.0.1/", "https://2130706433/", "https://0177.0.0.1/", "https://%31%32%37.0.0.1/"],
    ...["https://169.254.169.254/latest/meta-data/", "https://10.0.0.1:5432/", "https://１２７.０.０.１/"],
    ...["https://[::1]:15672/", "https://[::ffff:10.0.0.1]/", "https://[64:ff9b::10.0.0.1]/"],
    ...["https://localhost/", "https://LOCALHOST.:8443/", "https://foo.localhost/"],
  ],
  "must be an https URL": [
    ...["hooks.example.com/in", "https://", "https:///in", "https:hooks.example.com", "file:///etc/passwd"],
    ...["https://hooks.example.com:65536/", "https://256.0.0.1/", "https://[fe80::1%25eth0]/"],
    ...["https://\\\\hooks.example.com", "https://receiver.example\\@127.0.0.1/"],
    ...[
      "https://hooks.example.com/a b",
      "https://hooks.example.com/\r\nx: y",
      "https://hooks.example.com/\u0001",
    ],
  ],
  "must begin with https://": [
    ...["http://hooks.example.com", "http://127.0.0.1:15672/", "ftp://hooks.example.com"],
    "javascript://hooks.example.com/%0aalert(1)",
  ],
  "must not contain a user name or password": [
    ...[
      "https://ada@hooks.example.com",
      "https://ada:secret@hooks.example.com",
      "https://@hooks.example.com/",
    ],
    ...["https://:secret@hooks.example.com/", "https://hooks.example.com@127.0.0.1/"],
  ],
  "must not have a fragment": ["https://hooks.example.com/#in", "https://hooks.example.com/#"],
  "must have a host and a port that exist": [
    ...["https://hooks.example.com:0/", `https://${"x".repeat(64)}.example/`],
    ...["https://localhost../", "https://hooks..example.com/"],
  ],
  "must be at most 2048 characters": [`https://hooks.example.com/${"x".repeat(2_048 - 25)}`],
  "must be a string": [7, undefined],
};

test.each(Object.entries(REFUSED).flatMap(([message, urls]) => urls.map((text) => [text, message] as const)))(
  "%j %s",
  (text, message) => {
    expect(url.safeParse(text).error?.issues.map((issue) => issue.message)).toEqual([message]);
  },
);

test.each([
  ...["https://8.8.8.8/", "https://[2606:4700::1111]:8443/hooks", "HTTPS://Hooks.Example.com"],
  ...["https://localhost.example.com/", "https://bücher.example/"],
  `https://hooks.example.com/${"x".repeat(2_048 - 26)}`,
])("%.50s stays as it is", (text) => {
  expect(url.parse(text)).toBe(text);
});

const { create, change } = subscriptionInputs({ guard: addressGuard([]), more: [] });
const pathsAtFault = (given: object) => {
  const headers = new ReceivedJson(JSON.stringify(given), given);
  const subscription = {
    name: "Test",
    url: "https://hooks.example.com/",
    events: ["redirect.added"],
    headers,
  };
  const results = [create.safeParse(subscription), change.safeParse({ headers })];
  return results.map(({ error }) => error?.issues.map(({ path }) => path));
};

test.each([
  ...["Host", "connection", "Transfer-Encoding", "USER-AGENT", "Content-Type", "Content-Length", "content-"],
  ...["X-service-Event", "x-service-signature", "webhook-id", "Webhook-Anything"],
  ...["Accept-Encoding", "Expect", "Keep-Alive", "TE", "Trailer", "Upgrade", "Proxy-Connection"],
  ...["", " ", "X Key", "X-Key:", "X-Këy", "X-Key\r\nX-Other", "(X)", "x".repeat(65)],
])("no header is named %j", (name) => {
  const path = ["headers", name];
  expect(pathsAtFault({ "X-Allowed": "1", [name]: "key" })).toEqual([[path], [path]]);
});

test.each([
  ...["a\r\nX-Other: b", "a\u0007", "a\tb", "é", "a ", "", "x".repeat(1_025)],
  ...[7, ["a"], { toString: 1, valueOf: 1 }],
])("no header has the value %j", (value) => {
  const path = ["headers", "X-Key"];
  expect(pathsAtFault({ "X-Allowed": "1", "X-Key": value })).toEqual([[path], [path]]);
});
