// Reads the body of POST /v1/media, a form with one part `file`, and streams the file on, in bounded memory.
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { MIMEType } from "node:util";
import { Dicer } from "@fastify/busboy";
import { ApiError, cutShort, type FieldFault, invalid } from "@tradepost/http";
import { parse as parseDisposition } from "content-disposition";
import { fileTypeFromBuffer } from "file-type";
import { FILE_BYTES_MAX } from "./media-resource.ts";

export interface ReceivedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

// The form has boundaries, headers, and perhaps other parts.
const FORM_BYTES_MAX = FILE_BYTES_MAX + 64 * 1024;
const PARTS_MAX = 10;
const HEADER_LIMITS = { maxHeaderPairs: 20, maxHeaderSize: 8192 };

// All that `file-type` reads.
const HEAD_BYTES_MAX = 4_100;
const UNKNOWN_TYPE = "application/octet-stream";

const FILENAME_CHARACTERS_MAX = 255;
// Control characters, and those that change the direction of text: they can disguise a file's extension.
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Passes the bytes to `put`. Throws 415, 413, 400 or 422 once `put` has ended; the rest of the body is discarded. */
export async function receiveUpload(
  req: IncomingMessage,
  put: (bytes: Readable) => Promise<void>,
): Promise<ReceivedFile> {
  const form = openForm(req);
  const faults: FieldFault[] = [];
  let file: Readable | undefined;
  let received: Promise<ReceivedFile> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      let partsCount = 0;
      form.on("part", (part: Readable) => {
        part.on("error", () => undefined);
        partsCount += 1;
        if (partsCount === PARTS_MAX + 1) faults.push({ path: "", message: "has too many parts" });
        part.on("header", (headers: PartHeaders) => {
          const { name, isFile, filename } = dispositionOf(headers);
          if (partsCount <= PARTS_MAX && name === "file" && isFile && received === undefined) {
            file = part;
            received = storeFile(part, filename, put);
            received.catch(reject);
            return;
          }
          if (partsCount <= PARTS_MAX) faults.push({ path: name, message: partMessage(name, isFile) });
          part.resume();
        });
      });
      form.once("finish", resolve);
      form.once("error", () => reject(unreadable()));
      limitBytes(req, () => reject(tooLarge()));
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
  const result = await received;
  if (result !== undefined && result.sizeBytes > FILE_BYTES_MAX) throw tooLarge();
  if (result === undefined || faults.length > 0) throw invalid(faults);
  return result;
}

function openForm(req: IncomingMessage): Dicer {
  const { "content-type": contentType = "", "content-encoding": encoding = "identity" } = req.headers;
  if (!/^multipart\/form-data\s*;/i.test(contentType) || encoding !== "identity") throw unsupported();
  if (Number(req.headers["content-length"]) > FORM_BYTES_MAX) throw tooLarge();
  if (req.destroyed) throw cutShort();
  try {
    const boundary = new MIMEType(contentType).params.get("boundary") ?? undefined;
    return new Dicer({ boundary, ...HEADER_LIMITS });
  } catch {
    throw unsupported();
  }
}

function limitBytes(req: IncomingMessage, onTooMany: () => void): void {
  let bytes = 0;
  req.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > FORM_BYTES_MAX) onTooMany();
  });
}

async function storeFile(
  stream: Readable,
  filename: string | undefined,
  put: (bytes: Readable) => Promise<void>,
): Promise<ReceivedFile> {
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
  const contentType = await detectContentType(head);
  return { filename: cleanFilename(filename), contentType, sizeBytes, sha256: hash.digest("hex") };
}

async function detectContentType(head: Buffer): Promise<string> {
  // Throws for a file that ends within its headers.
  const known = await fileTypeFromBuffer(head).catch(() => undefined);
  return known?.mime.split(";", 1)[0]?.trim() ?? (isTiff(head) ? "image/tiff" : UNKNOWN_TYPE);
}

/** `file-type` needs a TIFF's directory, perhaps at its end, to rule out camera formats. */
function isTiff(head: Buffer): boolean {
  return ["II*\0", "MM\0*"].includes(head.toString("latin1", 0, 4));
}

/** The last segment without invisible characters: 1 to 255 characters, else `file`. It is only shown, never used as a path. */
export function cleanFilename(filename: string | undefined): string {
  const segment = (filename ?? "").split(/[/\\]/).at(-1) ?? "";
  const name = [...segment.toWellFormed().replace(INVISIBLE, "").trim()]
    .slice(0, FILENAME_CHARACTERS_MAX)
    .join("");
  return name === "" || name === "." || name === ".." ? "file" : name;
}

type PartHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/** `filename*` (RFC 8187) wins over `filename` unless it is malformed. Browsers write a quote as %22, other clients as \". */
export function dispositionOf(headers: PartHeaders): {
  readonly name: string;
  readonly isFile: boolean;
  readonly filename: string | undefined;
} {
  const header = Buffer.from(headers["content-disposition"]?.[0] ?? "", "latin1").toString();
  const { parameters } = parseDisposition(header, { multipart: !header.includes('\\"') });
  const isFile =
    parameters.filename !== undefined ||
    parameters["filename*"] !== undefined ||
    headers["content-type"]?.[0]?.toLowerCase() === UNKNOWN_TYPE;
  const { name = "", filename } = parameters;
  return { name, isFile, filename };
}

function partMessage(name: string, isFile: boolean): string {
  if (name !== "file") return "unknown field";
  return isFile ? "must be one file" : "must be a file, with a filename";
}

function unsupported(): ApiError {
  return new ApiError("unsupported_media_type", "The body must be multipart/form-data.");
}

function tooLarge(): ApiError {
  return new ApiError("payload_too_large", `The file is larger than ${FILE_BYTES_MAX} bytes.`);
}

function unreadable(): ApiError {
  return new ApiError("bad_request", "The body is not valid multipart/form-data.");
}
