// A receiver has to prove who it is: without a certificate for its name that is valid today, nothing is sent to it.
import { createServer, type Socket } from "node:net";
import tls from "node:tls";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createAuthority, issueCertificate, testCertificate } from "@tradepost/testing";
import { listening, startBareReceiver, startTestSend } from "./support/sending.ts";

describe("an attempt is tls_failed, and nothing is sent,", () => {
  const running: { stop(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const { stop } of running.splice(0).reverse()) await stop();
  });

  const attempt = async (url: string) => {
    const sender = startTestSend();
    running.push(sender);
    return await sender.send(url);
  };
  const failed = expect.objectContaining({ outcome: "tls_failed", statusCode: null, responseBody: null });

  test.each([
    [
      "is of an authority that nobody trusts",
      () => createAuthority().then((own) => issueCertificate(own, ["localhost"])),
    ],
    ["vouches for itself", () => createAuthority()],
    ["is for another name", () => testCertificate(["other.example"])],
    ["is for the address, not the name", () => testCertificate(["127.0.0.1"])],
    ["has expired", () => testCertificate(["localhost"], -0.5)],
  ])("where its certificate %s", async (_, issue) => {
    const sent: Buffer[] = [];
    const receiver = await startBareReceiver((socket) => void socket.on("data", (data) => sent.push(data)), {
      certificate: issue(),
    });
    running.push(receiver);
    expect(await attempt(receiver.url)).toEqual(failed);
    await receiver.untilLeft();
    expect(sent).toEqual([]);
  });

  test("where what answers is no TLS", async () => {
    const receiver = await listening(
      createServer((socket: Socket) => void socket.resume().end("HTTP/1.1 400 Bad Request\r\n\r\n")),
    );
    running.push(receiver);
    expect(await attempt(receiver.url)).toEqual(failed);
  });

  test("where only an old version of TLS is spoken", async () => {
    const { certificate: cert, key } = await testCertificate();
    const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    const receiver = await listening(tls.createServer({ cert, key, ...old }));
    running.push(receiver);
    expect(await attempt(receiver.url)).toEqual(failed);
  });
});
