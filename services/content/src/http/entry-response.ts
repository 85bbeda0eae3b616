// Responses with an entry carry its version as `ETag`, for `If-Match` in the next request (interface §1).
import { type ApiResponse, created, etagOf, ok } from "@tradepost/http";
import type { Entry } from "../entry/entry.ts";

export function entryResponse(entry: Entry): ApiResponse {
  return ok(entry, { etag: etagOf(entry.version) });
}

export function createdEntryResponse(entry: Entry): ApiResponse {
  return created(entry, `/v1/entries/${entry.id}`, { etag: etagOf(entry.version) });
}
