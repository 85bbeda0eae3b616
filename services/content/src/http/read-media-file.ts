// GET /v1/media/{id}/file?variant=: the bytes, streamed: whole, in part, or not at all where the client has them.
import { ApiError, type ApiRequest, type ApiResponse, notFound } from "@tradepost/http";
import { z } from "zod";
import { fileHeaders, type ServedFile, servedFile, servingOf } from "../media/file-answer.ts";
import { variantNames } from "../media/media.ts";
import { findMedia } from "../media/media-store.ts";
import { FileMissing } from "../storage/file-missing.ts";
import type { ByteRange, Storage } from "../storage/storage.ts";
import type { Content } from "./context.ts";

export const fileQuery = z.strictObject({
  variant: z.enum(variantNames, `must be one of ${variantNames.join(", ")}`).optional(),
});

export function readMediaFile({ tenants, storage }: Content) {
  return async ({
    principal,
    id,
    query,
    raw,
  }: ApiRequest<undefined, z.output<typeof fileQuery>>): Promise<ApiResponse> => {
    const media = await findMedia(tenants.of(principal.tenantId), id);
    if (media === null) throw notFound("media");
    const file = servedFile(principal.tenantId, media, query.variant);
    if (file === null) throw notFound("variant of this media");
    const serving = servingOf(raw.method ?? "", raw.headers, file);
    if (serving.status === 304) return { status: 304, headers: fileHeaders(file), bytes: Buffer.alloc(0) };
    if (serving.status === 416) throw unsatisfiable(file);
    const { range, status } = serving;
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

/** It may have been deleted since it was looked up. */
async function open(storage: Storage, { key }: ServedFile, range: ByteRange | undefined) {
  try {
    return await storage.get(key, range);
  } catch (error) {
    throw error instanceof FileMissing ? notFound("file of this media") : error;
  }
}
