// Reads JSON before the gateway takes a connection to a service, so that a slow client holds only its own. An upload is
// streamed.
import type { IncomingMessage } from "node:http";
import type { PassThrough } from "node:stream";
import { ApiError, BODY_BYTES_MAX, cutShort, readBytes } from "@tradepost/http";
import { uploadStream } from "./upload-stream.ts";

export type RequestBody =
  | { readonly kind: "none" }
  | { readonly kind: "whole"; readonly bytes: Buffer }
  | { readonly kind: "upload"; readonly stream: () => PassThrough; readonly length: string | undefined }
  | { readonly kind: "oversized" };

export async function readRequestBody(req: IncomingMessage): Promise<RequestBody> {
  const { "content-length": length, "transfer-encoding": chunked } = req.headers;
  if (chunked === undefined && (length === undefined || length === "0")) return { kind: "none" };
  if (isUpload(req)) return { kind: "upload", stream: () => openStream(req), length };
  if (Number(length) > BODY_BYTES_MAX) return { kind: "oversized" };
  try {
    return { kind: "whole", bytes: await readBytes(req) };
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "payload_too_large")) throw error;
    // The server reads the rest after the response, up to a limit.
    req.pause();
    return { kind: "oversized" };
  }
}

export function isUpload({ method, url = "" }: Pick<IncomingMessage, "method" | "url">): boolean {
  return method === "POST" && /^\/v1\/media\/?(\?|$)/.test(url);
}

function openStream(req: IncomingMessage): PassThrough {
  // The request may have closed meanwhile, and its event would be missed.
  if (req.destroyed) throw cutShort();
  return uploadStream(req);
}
