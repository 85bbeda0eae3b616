// A file's way through the whole platform: uploaded and fetched again by several at once in bounded memory, made
// smaller by the worker, and told of to nobody but its tenant.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { bearer } from "@tradepost/testing";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const FILE_BYTES = 25 * 1024 * 1024;
const FILES = 6;
// Held whole at the gateway and at the service, they would be twice their sum.
const LIMIT = (FILES * FILE_BYTES * 2) / 3;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

describe("media through the gateway", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;

  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
  });
  afterAll(() => platform.stop());

  const upload = async (file: Blob, filename: string) => {
    const body = new FormData();
    body.append("file", file, filename);
    const answer = await fetch(`${platform.url}/v1/media`, {
      method: "POST",
      headers: bearer(tenant.apiKey),
      body,
    });
    return { status: answer.status, ...((await answer.json()) as { data: { id: string; url: string } }) };
  };

  test("a form as browsers send it is taken, and its file given back", async () => {
    const { status, data } = await upload(new Blob(["hello"]), "grüße.txt");
    expect(status).toBe(201);
    expect((await tenant.key.get(`/v1/media/${data.id}`)).body.data.filename).toBe("grüße.txt");
    const answer = await tenant.key.get(data.url);
    expect(answer.text).toBe("hello");
    expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    const stranger = await platform.createTenant();
    expect((await stranger.key.get(data.url)).status).toBe(404);
  });

  test("many large files at once stay out of memory", async () => {
    const chunk = randomBytes(64 * 1024);
    const before = bytesHeld(0);
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, bytesHeld(before + LIMIT) - before);
    }, 500);
    watching.unref();
    const uploads = await Promise.all(
      Array.from({ length: FILES }, () => sendForm(platform.url, tenant.apiKey, chunk)),
    );
    const sizes = uploads.map(async (url) => {
      const answer = await fetch(platform.url + url, { headers: bearer(tenant.apiKey) });
      let bytes = 0;
      for await (const part of answer.body ?? []) bytes += (part as Uint8Array).length;
      return bytes;
    });
    expect(await Promise.all(sizes)).toEqual(Array(FILES).fill(FILE_BYTES));
    expect(most).toBeLessThan(LIMIT);
    clearInterval(watching);
  });
});

/** Buffers that are in use: where they seem too many, what only waits to be collected is collected first. */
function bytesHeld(tooMany: number): number {
  const bytes = process.memoryUsage().arrayBuffers;
  if (bytes < tooMany) return bytes;
  // Takes seconds in a process that has run many tests, so it is not done without need.
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Uploads the same few bytes again and again, so that the client holds none; out: the file's URL. */
async function sendForm(url: string, apiKey: string, chunk: Buffer): Promise<string> {
  const headers = { ...bearer(apiKey), "content-type": "multipart/form-data; boundary=b" };
  const req = http.request(`${url}/v1/media`, { method: "POST", headers });
  const parts = function* () {
    yield '--b\r\nContent-Disposition: form-data; name="file"; filename="big"\r\n\r\n';
    for (let sent = 0; sent < FILE_BYTES; sent += chunk.length) yield chunk;
    yield "\r\n--b--\r\n";
  };
  const answered = once(req, "response");
  await pipeline(Readable.from(parts()), req);
  const [res] = (await answered) as [http.IncomingMessage];
  return JSON.parse(await text(res)).data.url;
}
