// Serves a file of an asset: the whole file or a range, or 304 if the client has it.
import type { IncomingMessage } from "node:http";
import { ApiError, type ApiResponse, notFound } from "@tradepost/http";
import { FileNotFound } from "../storage/file-not-found.ts";
import type { ByteRange, Storage } from "../storage/storage.ts";
import { fileHeaders, responseFor, type ServedFile } from "./file-response.ts";

/** `moreHeaders` replace those of the file, also in a 304. Throws 416, and 404 if the file has just been deleted. */
export async function serveFile(
  storage: Storage,
  file: ServedFile,
  request: IncomingMessage,
  moreHeaders: Readonly<Record<string, string>> = {},
): Promise<ApiResponse> {
  const response = responseFor(request.method ?? "", request.headers, file);
  const headers = { ...fileHeaders(file), ...moreHeaders };
  if (response.status === 304) return { status: 304, headers, bytes: Buffer.alloc(0) };
  if (response.status === 416) throw unsatisfiable(file);
  const { range, status } = response;
  const length = range === undefined ? file.sizeBytes : range.end - range.start + 1;
  const stream = await open(storage, file, range);
  return {
    status,
    headers: {
      ...headers,
      "content-length": String(length),
      ...(range && { "content-range": `bytes ${range.start}-${range.end}/${file.sizeBytes}` }),
    },
    stream,
  };
}

function unsatisfiable({ sizeBytes }: ServedFile): ApiError {
  return new ApiError("range_not_satisfiable", `The file has ${sizeBytes} bytes.`, {
    headers: { "content-range": `bytes */${sizeBytes}`, "accept-ranges": "bytes" },
  });
}

/** The file may have been deleted after the asset was read. */
async function open(storage: Storage, { key }: ServedFile, range: ByteRange | undefined) {
  try {
    return await storage.get(key, range);
  } catch (error) {
    throw error instanceof FileNotFound ? notFound("file of this media") : error;
  }
}
