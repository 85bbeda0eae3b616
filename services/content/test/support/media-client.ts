// Uploads files to a test's content service and waits for their processing.
import { type ClientResponse, until } from "@tradepost/testing";
import pg from "pg";
import sharp from "sharp";
import type { TestContent } from "./test-content.ts";

export type Tenant = ReturnType<TestContent["newTenant"]>;

const BOUNDARY = "the-boundary";
export const FORM = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };

export interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly bytes: Buffer | string;
}

/** Builds a form's bytes by hand, because a library would refuse to build an invalid one. */
export function form(...parts: Part[]): Buffer {
  const pieces = parts.flatMap(({ name, filename, bytes }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}\r\n`,
    "\r\n",
    bytes,
    "\r\n",
  ]);
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)));
}

export async function upload(
  tenant: Tenant,
  bytes: Buffer | string,
  filename = "a.bin",
): Promise<ClientResponse> {
  return await tenant.send("POST", "/v1/media", {
    headers: FORM,
    body: form({ name: "file", filename, bytes }),
  });
}

/** Uploads a file and waits until it is ready or failed. */
export async function uploadAndWait(tenant: Tenant, bytes: Buffer, filename?: string) {
  const { body } = await upload(tenant, bytes, filename);
  return await finished(tenant, body.data.id);
}

export async function finished(tenant: Tenant, id: string) {
  return await until(`media ${id} to be finished`, async () => {
    // While the machine is busy, a response may be 503.
    const { data } = (await tenant.get(`/v1/media/${id}`)).body;
    return (data?.status === "ready" || data?.status === "failed") && data;
  });
}

/** Reads a response as bytes. */
export async function download(
  content: TestContent,
  tenant: Tenant,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
) {
  const signed = content.signRequest(tenant.tenantId, method, path);
  const response = await fetch(signed.url + path, { method, headers: { ...signed.headers, ...headers } });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** Binds a queue as the webhooks service does. Subscribable events wait in the outbox until one is bound. */
export async function bindWebhooks({ broker }: TestContent): Promise<void> {
  await broker.manage("PUT", "/exchanges/platform.events", { type: "topic", durable: true });
  await broker.manage("PUT", "/queues/webhooks.events", { durable: true });
  for (const routing_key of ["media.uploaded", "media.processed"])
    await broker.manage("POST", "/bindings/e/platform.events/q/webhooks.events", { routing_key });
}

/** Runs SQL as the owner. */
export async function asOwner(content: TestContent, text: string, values: unknown[] = []) {
  const client = new pg.Client(content.databaseUrl);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** A picture whose left half is red and whose right half is blue. */
export async function picture(width: number, height: number) {
  const blue = { create: { width: Math.ceil(width / 2), height, channels: 3 as const, background: "#00f" } };
  return sharp({ create: { width, height, channels: 3, background: "#f00" } }).composite([
    { input: await sharp(blue).png().toBuffer(), left: Math.floor(width / 2), top: 0 },
  ]);
}
