// Reads POST /v1/media: one part `file` of a form, streamed on as it comes and told by its bytes. Memory is bounded by
// the streams' buffers, whatever the size.
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { ApiError, type FieldFault, invalid } from "@tradepost/http";
import { contentTypeOf, HEAD_BYTES_MAX } from "./content-type-of-bytes.ts";
import { filenameOf } from "./filename.ts";
import { FILE_BYTES_MAX } from "./media.ts";

export interface Received {
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

// The form around the file: boundaries, headers, and whatever does not belong there.
const FORM_BYTES_MAX = FILE_BYTES_MAX + 64 * 1024;
const LIMITS = { fileSize: FILE_BYTES_MAX, parts: 10, fieldSize: 1024, headerPairs: 20, headerSize: 8192 };

/**
 * In: the request, and where the file's bytes go. Throws 415, 413, 400 and 422; whatever it throws, `put` is over then,
 * and what is left of the body is read and dropped.
 */
export async function receiveUpload(
  req: IncomingMessage,
  put: (bytes: Readable) => Promise<void>,
): Promise<Received> {
  const form = openForm(req);
  const faults: FieldFault[] = [];
  let file: Readable | undefined;
  let received: Promise<Received> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      form.on("field", (name) => faults.push({ path: name ?? "", message: misplaced(name) }));
      form.on("file", (name, stream, filename) => {
        stream.on("error", () => undefined);
        stream.on("limit", () => reject(tooLarge()));
        if (name !== "file" || received !== undefined) {
          faults.push({ path: name ?? "", message: name === "file" ? "must be one file" : "unknown field" });
          stream.resume();
          return;
        }
        file = stream;
        received = keep(stream, filename, put);
        received.catch(reject);
      });
      form.on("partsLimit", () => faults.push({ path: "", message: "has too many parts" }));
      form.once("finish", resolve);
      form.once("error", () => reject(unreadable()));
      boundBytes(req, () => reject(tooLarge()));
      req.once("close", () => req.complete || reject(cutShort()));
      req.pipe(form);
    });
  } catch (error) {
    req.unpipe(form);
    req.resume();
    file?.destroy(error as Error);
    await received?.catch(() => undefined);
    throw error;
  }
  if (received === undefined && faults.length === 0) faults.push({ path: "file", message: "is required" });
  const kept = await received;
  if (kept === undefined || faults.length > 0) throw invalid(faults);
  return kept;
}

function openForm(req: IncomingMessage): BusboyInstance {
  const { "content-type": contentType = "", "content-encoding": encoding = "identity" } = req.headers;
  if (!/^multipart\/form-data\s*;/i.test(contentType) || encoding !== "identity") throw unsupported();
  if (Number(req.headers["content-length"]) > FORM_BYTES_MAX) throw tooLarge();
  if (req.destroyed) throw cutShort();
  try {
    return new Busboy({ headers: { ...req.headers, "content-type": contentType }, limits: LIMITS });
  } catch {
    throw unsupported();
  }
}

function boundBytes(req: IncomingMessage, onTooMany: () => void): void {
  let bytes = 0;
  req.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > FORM_BYTES_MAX) onTooMany();
  });
}

/** Hands the bytes on and keeps of them what there is to know: how many, their hash, and how they begin. */
async function keep(
  stream: Readable,
  filename: string | undefined,
  put: (bytes: Readable) => Promise<void>,
): Promise<Received> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  let head = Buffer.alloc(0);
  const measured = async function* () {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      if (head.length < HEAD_BYTES_MAX) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES_MAX);
      yield chunk;
    }
  };
  await put(Readable.from(measured(), { objectMode: false }));
  const contentType = await contentTypeOf(head);
  return { filename: filenameOf(filename), contentType, sizeBytes, sha256: hash.digest("hex") };
}

function misplaced(name: string | undefined): string {
  return name === "file" ? "must be a file, with a filename" : "unknown field";
}

function unsupported(): ApiError {
  return new ApiError("unsupported_media_type", "The body must be multipart/form-data.");
}

function tooLarge(): ApiError {
  return new ApiError("payload_too_large", `The file is larger than ${FILE_BYTES_MAX} bytes.`);
}

function cutShort(): ApiError {
  return new ApiError("bad_request", "The body was cut short.");
}

function unreadable(): ApiError {
  return new ApiError("bad_request", "The body is not valid multipart/form-data.");
}
