// Uploads files to a test's content service and waits for their processing.
import { type ClientResponse, until } from "@tradepost/testing";
import sharp from "sharp";
import type { TestContent, TestTenant } from "./test-content.ts";

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
  tenant: TestTenant,
  bytes: Buffer | string,
  filename = "a.bin",
): Promise<ClientResponse> {
  return await tenant.send("POST", "/v1/media", {
    headers: FORM,
    body: form({ name: "file", filename, bytes }),
  });
}

/** Returns the id. While the machine is busy, a response may be 503. */
export async function uploaded(tenant: TestTenant, bytes: Buffer, filename?: string): Promise<string> {
  return await until("the upload", async () => {
    const { status, body } = await upload(tenant, bytes, filename);
    return status !== 503 && body.data.id;
  });
}

/** Uploads a file and waits until it is ready or failed. */
export async function uploadAndWait(tenant: TestTenant, bytes: Buffer, filename?: string) {
  return await finished(tenant, await uploaded(tenant, bytes, filename));
}

export async function finished(tenant: TestTenant, id: string) {
  return await until(`media ${id} to be finished`, async () => {
    const { data } = (await tenant.get(`/v1/media/${id}`)).body;
    return (data?.status === "ready" || data?.status === "failed") && data;
  });
}

export async function download(
  content: TestContent,
  tenant: TestTenant,
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

/** Inserts the row of a picture, without its file. */
export async function insertMedia({ sql }: TestContent, tenantId: string, id: string): Promise<void> {
  await sql(
    `insert into media (tenant_id, id, filename, content_type, size_bytes, sha256, status, uploaded_by)
     values ($1, $2, 'a.png', 'image/png', 1, '', 'ready', '{}')`,
    [tenantId, id],
  );
}

/** A picture whose left half is red and whose right half is blue. */
export async function picture(width: number, height: number) {
  const blue = { create: { width: Math.ceil(width / 2), height, channels: 3 as const, background: "#00f" } };
  return sharp({ create: { width, height, channels: 3, background: "#f00" } }).composite([
    { input: await sharp(blue).png().toBuffer(), left: Math.floor(width / 2), top: 0 },
  ]);
}
