import http, { type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { listenLocally } from "@tradepost/testing";
import { isTooSlow, UPLOAD_PACE, uploadStream } from "./upload-stream.ts";

// With this pace, a client that sends nothing is soon too slow.
const IMPATIENT = { silenceMsMax: 20, graceMs: 60_000, bytesPerSecondMin: 0 };
const CHECK_EVERY_MS = 10;

let onRequest: (req: IncomingMessage) => void;
const server = http.createServer((req, res) => {
  onRequest(req);
  req.once("end", () => res.end());
});
const { port, stop } = await listenLocally(server);
afterAll(stop);

describe("an upload stream", () => {
  /** Sends the headers and a part of a 10-byte body; returns the upload's stream. */
  const send = async (part: string) => {
    const socket = connect(port, "127.0.0.1");
    const req = await new Promise<IncomingMessage>((resolve) => {
      onRequest = resolve;
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n${part}`);
    });
    return { socket, body: uploadStream(req, IMPATIENT, CHECK_EVERY_MS) };
  };

  test("fails with 400 if the client is too slow, and the connection is to be closed", async () => {
    const { socket, body } = await send("12345");
    await expect(text(body)).rejects.toMatchObject({
      ...{ status: 400, code: "bad_request", message: "The body arrived too slowly." },
      headers: { connection: "close" },
    });
    socket.destroy();
  });

  test("fails with 400 if the client closes early", async () => {
    const { socket, body } = await send("12345");
    socket.destroy();
    await expect(text(body)).rejects.toMatchObject({ status: 400, message: "The body was cut short." });
  });
});

const KIB = 1024;

describe("whether an upload is too slow", () => {
  test.each([
    ["a byte every 10 s, after 29 s", { bytes: 3, waitedMs: 29_000, silentMs: 9_000 }, false],
    ["a byte every 10 s, after 30 s", { bytes: 3, waitedMs: 30_000, silentMs: 0 }, true],
    ["16 KiB/s", { bytes: 600 * 16 * KIB, waitedMs: 600_000, silentMs: 500 }, false],
    ["a little less than 16 KiB/s", { bytes: 599 * 16 * KIB, waitedMs: 600_000, silentMs: 500 }, true],
    ["25 MiB, then nothing for 29 s", { bytes: 25 * KIB * KIB, waitedMs: 29_000, silentMs: 29_000 }, false],
    ["25 MiB, then nothing for 30 s", { bytes: 25 * KIB * KIB, waitedMs: 30_500, silentMs: 30_000 }, true],
  ])("for %s", (_what, progress, expected) => {
    expect(isTooSlow(UPLOAD_PACE, progress)).toBe(expected);
  });
});
