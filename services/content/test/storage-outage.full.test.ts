// An outage of the storage of files: requests for files are 503, nothing is left behind, and it ends without a restart.
import { once } from "node:events";
import { mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { pipeline, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { readSettings } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { mediaSettings } from "../src/config.ts";
import { s3Storage } from "../src/media/storage/s3-storage.ts";
import { download, upload } from "./support/media-client.ts";
import { startS3Server } from "./support/s3-server.ts";
import { startTestContent, type TestContent, type TestTenant } from "./support/test-content.ts";

const UNAVAILABLE = {
  code: "service_unavailable",
  message: "The service is temporarily unavailable; try again.",
};

let running = new AsyncDisposableStack();
afterEach(async () => {
  await running.disposeAsync();
  running = new AsyncDisposableStack();
});

async function startContent(settings: Record<string, string> = {}): Promise<TestContent> {
  const content = await startTestContent(settings);
  running.defer(content.stop);
  return content;
}

async function expectOutage(content: TestContent, tenant: TestTenant, id: string): Promise<void> {
  const refused = await upload(tenant, "hello");
  expect(refused).toMatchObject({ status: 503, body: { success: false, error: UNAVAILABLE } });
  expect(refused.headers.get("retry-after")).toBe("2");
  const read = await download(content, tenant, `/v1/media/${id}/file`);
  expect(read.status).toBe(503);
  expect(JSON.parse(read.bytes.toString()).error).toMatchObject(UNAVAILABLE);
}

/** The refused upload's row and files are deleted, and what was stored before is readable. */
async function expectRecovery(content: TestContent, tenant: TestTenant, id: string): Promise<void> {
  expect((await upload(tenant, "hello")).status).toBe(201);
  expect((await download(content, tenant, `/v1/media/${id}/file`)).bytes.toString()).toBe("hello");
  expect((await tenant.get("/v1/media")).body.data).toHaveLength(2);
  // The files may have been postponed by a minute, and are deleted with the next files.
  await content.sql("update storage_leftovers set remove_at = now()");
  expect((await tenant.send("DELETE", `/v1/media/${id}`)).status).toBe(200);
  const leftovers = () => content.sql("select from storage_leftovers");
  await until("no leftovers", async () => (await leftovers()).length === 0);
}

test("of a directory that cannot be written to", async () => {
  const content = await startContent();
  const tenant = content.newTenant();
  const { id } = (await upload(tenant, "hello")).body.data;
  const folder = path.join(content.mediaDir, tenant.tenantId);
  await rename(folder, `${folder}.away`);
  // A file replaces the folder, because permissions would not stop root.
  await writeFile(folder, "");
  await expectOutage(content, tenant, id);
  await rm(folder);
  await rename(`${folder}.away`, folder);
  await expectRecovery(content, tenant, id);
  expect(await readdir(folder)).toHaveLength(1);
});

/** A bucket behind a proxy that fails while `failure` is set: it responds with that status, or never. */
async function startBucket() {
  const directory = await mkdtemp(path.join(os.tmpdir(), "tradepost-bucket-"));
  running.defer(() => rm(directory, { recursive: true, force: true }));
  const { port, settingsAt, stop } = await startS3Server(directory);
  running.defer(stop);
  const bucket: { failure?: number | "no response" } = {};
  const proxy = http.createServer((req, res) => {
    if (bucket.failure === "no response") return;
    if (bucket.failure !== undefined) {
      req.resume();
      res.writeHead(bucket.failure).end();
      return;
    }
    const { method, url, headers } = req;
    const forwarded = http.request({ port, method, path: url, headers }, (response) => {
      // The client is gone.
      if (res.destroyed) return void response.destroy();
      res.writeHead(response.statusCode ?? 0, response.headers);
      // Ends the response too if the client is gone.
      pipeline(response, res, () => undefined);
    });
    req.pipe(forwarded);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  running.defer(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { bucket, settings: settingsAt((proxy.address() as AddressInfo).port) };
}

test.each([403, 500, 503])("of a bucket that responds with %i", async (status) => {
  const { bucket, settings } = await startBucket();
  const content = await startContent(settings);
  const tenant = content.newTenant();
  const { id } = (await upload(tenant, "hello")).body.data;
  bucket.failure = status;
  await expectOutage(content, tenant, id);
  delete bucket.failure;
  await expectRecovery(content, tenant, id);
});

const open = ({ CONTENT_S3_BUCKET, ...settings }: Record<string, string>, requestMsMax?: number) =>
  s3Storage(
    { ...readSettings(mediaSettings, settings), CONTENT_S3_BUCKET: CONTENT_S3_BUCKET ?? "" },
    requestMsMax,
  );

// The client has 50 sockets by default.
const MANY = 60;

test("of a bucket that never responds, in which requests end and hold no connection", async () => {
  const { bucket, settings } = await startBucket();
  const storage = open(settings, 500);
  const bytes = () => Readable.from([Buffer.from("hello")], { objectMode: false });
  await open(settings).put("a/original", bytes());
  bucket.failure = "no response";
  const attempts = Array.from({ length: MANY }, (_, n) =>
    n % 2 === 0 ? storage.get("a/original") : storage.put(`b/${n}`, bytes()),
  );
  const outcomes = await Promise.allSettled(attempts);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toEqual([]);
  delete bucket.failure;
  // On a slow machine the first read may time out.
  const read = () => storage.get("a/original").then(buffer, () => null);
  await until("the bucket to be read", async () => (await read())?.toString() === "hello");
});

test("readers that do not read a bucket's files do not delay uploads", async () => {
  const { settings } = await startBucket();
  const storage = open(settings);
  await storage.put("a/original", Readable.from([Buffer.alloc(8 * 1024 * 1024)], { objectMode: false }));
  const unread = await Promise.all(Array.from({ length: MANY }, () => storage.get("a/original")));
  await storage.put("b/original", Readable.from([Buffer.from("hello")], { objectMode: false }));
  for (const stream of unread) stream.destroy();
});
