// GET /v1/media/{id}/file?variant=: streams a file or a range of it, or responds with 304 if the client has it.
import { ApiError, type ApiRequest, type ApiResponse, notFound } from "@tradepost/http";
import { fileHeaders, responseFor, type ServedFile, servedFile } from "../media/file-response.ts";
import type { FileQuery } from "../media/media-input.ts";
import { findMedia } from "../media/media-store.ts";
import { FileNotFound } from "../storage/file-not-found.ts";
import type { ByteRange, Storage } from "../storage/storage.ts";
import type { Content } from "./context.ts";

export function readMediaFile({ tenants, storage }: Content) {
  return async ({ principal, id, query, raw }: ApiRequest<undefined, FileQuery>): Promise<ApiResponse> => {
    const media = await findMedia(tenants.of(principal.tenantId), id);
    if (media === null) throw notFound("media");
    const file = servedFile(principal.tenantId, media, query.variant);
    if (file === null) throw notFound("variant of this media");
    const response = responseFor(raw.method ?? "", raw.headers, file);
    if (response.status === 304) return { status: 304, headers: fileHeaders(file), bytes: Buffer.alloc(0) };
    if (response.status === 416) throw unsatisfiable(file);
    const { range, status } = response;
    const length = range === undefined ? file.sizeBytes : range.end - range.start + 1;
    const stream = await open(storage, file, range);
    const headers = {
      ...fileHeaders(file),
      "content-length": String(length),
      ...(range && { "content-range": `bytes ${range.start}-${range.end}/${file.sizeBytes}` }),
    };
    return { status, headers, stream };
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
