// Nothing is sent to a receiver without a trusted, valid certificate for its name, or at an address that is not allowed. A name is
// resolved for each connection, which then uses the checked address.
import { lookup } from "node:dns";
import { createServer, getDefaultAutoSelectFamilyAttemptTimeout, type Socket } from "node:net";
import tls from "node:tls";
import { createAuthority, issueCertificate, testCertificate } from "@tradepost/testing";
import { type AddressGuard, addressGuard } from "../src/endpoint/address.ts";
import type { Resolve } from "../src/endpoint/resolve-name.ts";
import { LOOPBACK, useSending } from "./support/sending.ts";

const NAME = "receiver.test";
const certificate = testCertificate([NAME, "127.0.0.1"]);

const { sending: sendingWith, receive: receiveWith, listen } = useSending();
const sending = (guard: AddressGuard) => sendingWith({ guard });
const response = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
const receive = async (options: { address?: string; port?: number } = {}) => {
  const requests: string[] = [];
  const receiver = await receiveWith(
    (socket) => void socket.once("data", (start) => requests.push(`${start}`) && socket.end(response)),
    { ...options, certificate },
  );
  return { ...receiver, requests };
};
/** Resolves any name to the next list of addresses, and to the last one from then on. */
const resolving = (...results: string[][]) => {
  const names: string[] = [];
  const resolve: Resolve = (name, _, callback) => {
    const addresses = results[Math.min(names.length, results.length - 1)] ?? [];
    names.push(name);
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    callback(null, found);
  };
  return { resolve, names };
};
const delivered = expect.objectContaining({ outcome: "delivered" });
const nothing = { statusCode: null, responseBody: null };
const refused = expect.objectContaining({ outcome: "address_refused", ...nothing });

test("resolves the name once and connects to the checked address", async () => {
  const receiver = await receive();
  const trap = await receive({ address: "127.0.0.2", port: receiver.port });
  const { resolve, names } = resolving(["127.0.0.1"], ["127.0.0.2"]);
  const send = sending(addressGuard(LOOPBACK, resolve));
  expect(await send(`https://${NAME}:${receiver.port}/`)).toEqual(delivered);
  expect(names).toEqual([NAME]);
  expect(receiver.requests.length).toBe(1);
  expect(trap.connectionCount()).toBe(0);
});

test("is refused after the name has moved to an address that is not allowed", async () => {
  const receiver = await receive();
  const { resolve } = resolving(["127.0.0.1"], ["127.0.0.2"]);
  const trap = await receive({ address: "127.0.0.2", port: receiver.port });
  const send = sending(addressGuard(["127.0.0.1/32"], resolve));
  const url = `https://${NAME}:${receiver.port}/`;
  expect(await send(url)).toEqual(delivered);
  await receiver.untilDisconnected();
  expect(await send(url)).toEqual(refused);
  expect([receiver.connectionCount(), trap.connectionCount()]).toEqual([1, 0]);
});

test.each([
  ["a private address", ["10.0.0.1"]],
  ["the metadata service of a cloud", ["169.254.169.254"]],
  ["an IPv4-mapped address", ["::ffff:127.0.0.1"]],
  ["a public address and a private one", ["127.0.0.1", "10.0.0.1"]],
  ["a private address and a public one", ["fd00::1", "127.0.0.1"]],
  ["a link-local address with a zone", ["fe80::1%eth0"]],
  ["an invalid address", ["none"]],
  ["no address at all", []],
])("is refused if it resolves to %s", async (_, addresses) => {
  const receiver = await receive();
  const send = sending(addressGuard(["127.0.0.1/32"], resolving(addresses).resolve));
  expect(await send(`https://${NAME}:${receiver.port}/`)).toEqual(refused);
  expect(receiver.connectionCount()).toBe(0);
});

test("is refused before anything is sent if the connection has another address than was checked", async () => {
  const receiver = await receive();
  // Simulates a lookup that skips the check.
  const send = sending({
    ...addressGuard([]),
    lookup: (_, __, callback) => lookup("127.0.0.1", { all: true }, callback),
  });
  expect(await send(`https://${NAME}:${receiver.port}/`)).toEqual(refused);
  await receiver.untilDisconnected();
  expect(receiver.requests).toEqual([]);
});

test("connects to an address that takes longer than Node's default, if the next one refuses", async () => {
  const receiver = await receive();
  // Nothing listens at the second address.
  const { resolve } = resolving(["127.0.0.1", "::1"]);
  const send = sending(
    addressGuard(LOOPBACK, (name, options, callback) => {
      resolve(name, options, callback);
      // The connection is made meanwhile, but this process sees it only after Node's default has passed.
      setImmediate(() => busyFor(getDefaultAutoSelectFamilyAttemptTimeout() + 50));
    }),
  );
  expect(await send(`https://${NAME}:${receiver.port}/`)).toEqual(delivered);
});

const failed = expect.objectContaining({ outcome: "tls_failed", statusCode: null, responseBody: null });

test.each([
  ["has an untrusted issuer", () => createAuthority().then((own) => issueCertificate(own, ["localhost"]))],
  ["is self-signed", () => createAuthority()],
  ["is for another name", () => testCertificate(["other.example"])],
  ["is for the address instead of the name", () => testCertificate(["127.0.0.1"])],
  ["has expired", () => testCertificate(["localhost"], -0.5)],
])("an attempt fails with tls_failed and sends nothing if the certificate %s", async (_, issue) => {
  const sent: Buffer[] = [];
  const certificate = issue();
  const receiver = await receiveWith((socket) => void socket.on("data", (data) => sent.push(data)), {
    certificate,
  });
  expect(await sendingWith()(receiver.url)).toEqual(failed);
  await receiver.untilDisconnected();
  expect(sent).toEqual([]);
});

test("an attempt fails with tls_failed and sends nothing if the receiver does not speak TLS", async () => {
  const receiver = await listen(
    createServer((socket: Socket) => void socket.resume().end("HTTP/1.1 400 Bad Request\r\n\r\n")),
  );
  expect(await sendingWith()(receiver.url)).toEqual(failed);
});

test("an attempt fails with tls_failed and sends nothing if the receiver supports only TLS 1.1", async () => {
  const { certificate: cert, key } = await testCertificate();
  const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  const receiver = await listen(tls.createServer({ cert, key, ...old }));
  expect(await sendingWith()(receiver.url)).toEqual(failed);
});

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
