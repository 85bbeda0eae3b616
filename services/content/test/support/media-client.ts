// Uploads files and waits for them, as a tenant of a test's content service.
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

/** A form's bytes, by hand: a library would refuse to make what has to be refused. */
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

/** Uploads and waits until it is ready or failed. */
export async function uploadAndWait(tenant: Tenant, bytes: Buffer, filename?: string) {
  const { body } = await upload(tenant, bytes, filename);
  return await finished(tenant, body.data.id);
}

export async function finished(tenant: Tenant, id: string) {
  return await until(`media ${id} to be finished`, async () => {
    const { data } = (await tenant.get(`/v1/media/${id}`)).body;
    return (data.status === "ready" || data.status === "failed") && data;
  });
}

/** The exact bytes of an answer, which a text client would change. */
export async function download(
  content: TestContent,
  tenant: Tenant,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
) {
  const call = content.call(tenant.tenantId, method, path);
  const response = await fetch(call.url + path, { method, headers: { ...call.headers, ...headers } });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** A queue for what is published for webhooks, as the webhooks service has one: these events wait until there is. */
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

/** A picture that is half red (left) and half blue. */
export async function picture(width: number, height: number) {
  const blue = { create: { width: Math.ceil(width / 2), height, channels: 3 as const, background: "#00f" } };
  return sharp({ create: { width, height, channels: 3, background: "#f00" } }).composite([
    { input: await sharp(blue).png().toBuffer(), left: Math.floor(width / 2), top: 0 },
  ]);
}
