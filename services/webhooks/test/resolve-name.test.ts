// Looks up receivers' names in DNS, without waiting for the name servers of others.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type Resolve, resolveByDns } from "../src/endpoint/resolve-name.ts";

const [A, AAAA] = [1, 28];
// By name, then by record type. The server does not respond to other names.
const ZONE: Record<string, Record<number, number[]> | "NXDOMAIN"> = {
  "both.test": { [A]: [203, 0, 113, 7], [AAAA]: [...Array(15).fill(0), 1] },
  "four.test": { [A]: [203, 0, 113, 8] },
  "nothing.test": {},
  "missing.test": "NXDOMAIN",
  "half.test": "NXDOMAIN",
};

const nameServer = createSocket("udp4");
nameServer.on("message", (query, from) => {
  const answer = answerTo(query);
  if (answer !== null) nameServer.send(answer, from.port, from.address);
});
nameServer.bind(0, "127.0.0.1");
await once(nameServer, "listening");
const server = `127.0.0.1:${nameServer.address().port}`;
const resolve: Resolve = resolveByDns(
  [server],
  "192.0.2.1 written.test other.test # a note\n\n2001:db8::1 Written.Test\n",
);

afterAll(() => void nameServer.close());

const find = (name: string) =>
  new Promise((settle) => {
    resolve(name, { all: true }, (error, addresses) => settle(error?.code ?? addresses));
  });

test("has the addresses of both families, or of the only one", async () => {
  expect(await find("both.test")).toEqual([
    { address: "203.0.113.7", family: 4 },
    { address: "::1", family: 6 },
  ]);
  expect(await find("four.test")).toEqual([{ address: "203.0.113.8", family: 4 }]);
});

test("has no address if name servers say so, or if it cannot exist", async () => {
  for (const name of ["nothing.test", "missing.test", "half.test", `${"x".repeat(64)}.test`]) {
    expect([name, await find(name)]).toEqual([name, []]);
  }
});

test("in the hosts file is not looked up in DNS, and localhost is this machine", async () => {
  expect(await find("written.test")).toEqual([
    { address: "192.0.2.1", family: 4 },
    { address: "2001:db8::1", family: 6 },
  ]);
  expect(await find("LOCALHOST")).toEqual([
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ]);
});

test("is found while a hundred others wait for silent name servers", async () => {
  let foundDeadCount = 0;
  const dead = Array.from({ length: 100 }, async (_, index) => {
    const found = await find(`${index}.dead.test`);
    foundDeadCount += 1;
    return found;
  });
  expect(await find("four.test")).toEqual([{ address: "203.0.113.8", family: 4 }]);
  expect(foundDeadCount).toBe(0);
  expect(new Set(await Promise.all(dead))).toEqual(new Set(["EAI_AGAIN"]));
});

/** A query has one question: labels, each after its length, then type and class. */
function answerTo(query: Buffer): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("ascii", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const zone = ZONE[labels.join(".")];
  if (zone === undefined) return null;
  const type = query.readUInt16BE(at + 1);
  // Only one of the two queries has a response.
  if (labels[0] === "half" && type === AAAA) return null;
  const address = zone === "NXDOMAIN" ? undefined : zone[type];
  const code = zone === "NXDOMAIN" ? 0x83 : 0x80;
  const question = query.subarray(12, at + 5);
  const head = Buffer.from([...query.subarray(0, 2), 0x81, code, 0, 1, 0, address ? 1 : 0, 0, 0, 0, 0]);
  if (address === undefined) return Buffer.concat([head, question]);
  const record = [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length, ...address];
  return Buffer.concat([head, question, Buffer.from(record)]);
}
