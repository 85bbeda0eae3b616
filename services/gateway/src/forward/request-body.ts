// Takes a request's body before a connection to a service is taken: JSON whole, so that a slow client holds nothing but
// its own connection; an upload as a stream.
import type { IncomingMessage } from "node:http";
import type { PassThrough } from "node:stream";
import { ApiError, BODY_BYTES_MAX, readBytes } from "@tradepost/http";
import { refusedBody, streamOf } from "./request-stream.ts";

export type RequestBody =
  | { readonly kind: "none" }
  | { readonly kind: "whole"; readonly bytes: Buffer }
  | { readonly kind: "upload"; readonly stream: () => PassThrough; readonly length: string | undefined }
  /** Only the service knows whether the caller gets 403 or 413; see `refusedBody`. */
  | { readonly kind: "too large"; readonly stream: () => PassThrough };

export async function takeBody(req: IncomingMessage): Promise<RequestBody> {
  const { "content-length": length, "transfer-encoding": chunked } = req.headers;
  if (chunked === undefined && (length === undefined || length === "0")) return { kind: "none" };
  if (isUpload(req)) return { kind: "upload", stream: () => openStream(req), length };
  if (Number(length) > BODY_BYTES_MAX) return { kind: "too large", stream: refusedBody };
  try {
    return { kind: "whole", bytes: await readBytes(req) };
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "payload_too_large")) throw error;
    // The rest waits until the response is written, which bounds how much of it is read.
    req.pause();
    return { kind: "too large", stream: refusedBody };
  }
}

function isUpload({ method, url = "" }: IncomingMessage): boolean {
  return method === "POST" && /^\/v1\/media\/?(\?|$)/.test(url);
}

function openStream(req: IncomingMessage): PassThrough {
  // It may have broken off while the caller was looked up; its end would then never be heard of.
  if (req.destroyed) throw new ApiError("bad_request", "The body was cut short.");
  return streamOf(req);
}
