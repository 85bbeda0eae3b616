import { bearer } from "@tradepost/testing";

/** The smallest PNG, with one pixel. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

/** Uploads a file as a form. Returns the media. */
export async function upload(
  gatewayUrl: string,
  token: string,
  file: string | Buffer,
  filename: string,
): Promise<{ id: string; url: string }> {
  const body = new FormData();
  body.append("file", new Blob([typeof file === "string" ? file : new Uint8Array(file)]), filename);
  const response = await fetch(`${gatewayUrl}/v1/media`, { method: "POST", headers: bearer(token), body });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`the upload was refused: ${response.status} ${text}`);
  return JSON.parse(text).data;
}
