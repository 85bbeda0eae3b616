// Several concurrent uploads and downloads through the gateway use bounded memory.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "@jest/globals";
import { bearer } from "@tradepost/testing";
import { sharedPlatform } from "../support/test-platform.ts";

const FILE_BYTES = 16 * 1024 * 1024;
const FILES = 6;
// If the gateway and the service buffered whole files, they would use twice this sum.
const LIMIT = FILES * FILE_BYTES;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const platform = await sharedPlatform();
const tenant = await platform.createTenant();

describe("media through the gateway", () => {
  test("never holds all of several large files in memory", async () => {
    const chunk = randomBytes(64 * 1024);
    const before = bytesHeld(0);
    let peak = 0;
    const sampling = setInterval(() => {
      peak = Math.max(peak, bytesHeld(before + LIMIT) - before);
    }, 500);
    sampling.unref();
    const uploads = await Promise.all(
      Array.from({ length: FILES }, () => sendForm(platform.url, tenant.apiKey, chunk)),
    );
    const sizes = uploads.map(async (url) => {
      const response = await fetch(platform.url + url, { headers: bearer(tenant.apiKey) });
      let bytes = 0;
      for await (const part of response.body ?? []) bytes += (part as Uint8Array).length;
      return bytes;
    });
    expect(await Promise.all(sizes)).toEqual(Array(FILES).fill(FILE_BYTES));
    expect(peak).toBeLessThan(LIMIT);
    clearInterval(sampling);
  });
});

/** Returns the bytes of buffers in use. Collects garbage before it returns `bytesMax` or more. */
function bytesHeld(bytesMax: number): number {
  const bytes = process.memoryUsage().arrayBuffers;
  if (bytes < bytesMax) return bytes;
  // This takes seconds in a process that has run many tests.
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Uploads the same chunk repeatedly, so that the client uses little memory, and returns the file's URL. */
async function sendForm(url: string, apiKey: string, chunk: Buffer): Promise<string> {
  const headers = { ...bearer(apiKey), "content-type": "multipart/form-data; boundary=b" };
  const req = http.request(`${url}/v1/media`, { method: "POST", headers });
  const parts = function* () {
    yield '--b\r\nContent-Disposition: form-data; name="file"; filename="big"\r\n\r\n';
    for (let sent = 0; sent < FILE_BYTES; sent += chunk.length) yield chunk;
    yield "\r\n--b--\r\n";
  };
  const responded = once(req, "response");
  await pipeline(Readable.from(parts()), req);
  const [res] = (await responded) as [http.IncomingMessage];
  return JSON.parse(await text(res)).data.url;
}
