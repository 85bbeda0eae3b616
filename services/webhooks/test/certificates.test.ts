// Nothing is sent to a receiver without a trusted, valid certificate for its name.
import { createServer, type Socket } from "node:net";
import tls from "node:tls";
import { createAuthority, issueCertificate, testCertificate } from "@tradepost/testing";
import { useSending } from "./support/sending.ts";

const { sending, receive, listen } = useSending();
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
  const receiver = await receive((socket) => void socket.on("data", (data) => sent.push(data)), {
    certificate,
  });
  expect(await sending()(receiver.url)).toEqual(failed);
  await receiver.untilDisconnected();
  expect(sent).toEqual([]);
});

test("an attempt fails with tls_failed and sends nothing if the receiver does not speak TLS", async () => {
  const receiver = await listen(
    createServer((socket: Socket) => void socket.resume().end("HTTP/1.1 400 Bad Request\r\n\r\n")),
  );
  expect(await sending()(receiver.url)).toEqual(failed);
});

test("an attempt fails with tls_failed and sends nothing if the receiver supports only TLS 1.1", async () => {
  const { certificate: cert, key } = await testCertificate();
  const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  const receiver = await listen(tls.createServer({ cert, key, ...old }));
  expect(await sending()(receiver.url)).toEqual(failed);
});
