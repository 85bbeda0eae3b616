import type { ApiClient } from "@tradepost/testing";

/** The smallest PNG, with one pixel. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

/** Uploads a file as a form. */
export async function upload({ send }: ApiClient, file: string | Buffer, filename: string) {
  const form = new FormData();
  form.append("file", new Blob([typeof file === "string" ? file : new Uint8Array(file)]), filename);
  const request = new Request("http://localhost", { method: "POST", body: form });
  const headers = { "content-type": String(request.headers.get("content-type")) };
  return await send("POST", "/v1/media", { headers, body: Buffer.from(await request.arrayBuffer()) });
}
