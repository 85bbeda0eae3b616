// The routes of the content service: who may call what, and who answers.
import { pageQuery, type Route, route } from "@tradepost/http";
import { z } from "zod";
import { scheduleInput } from "../entry/entry-input.ts";
import { redirectInput } from "../redirect/redirect-input.ts";
import { addRedirect } from "./add-redirect.ts";
import { changeEntry } from "./change-entry.ts";
import type { Content } from "./context.ts";
import { createEntry } from "./create-entry.ts";
import { deleteEntry } from "./delete-entry.ts";
import { listContentTypes } from "./list-content-types.ts";
import { entriesQuery, listEntries } from "./list-entries.ts";
import { listMedia } from "./list-media.ts";
import { listRedirects } from "./list-redirects.ts";
import { listRevisions } from "./list-revisions.ts";
import { publishEntry } from "./publish-entry.ts";
import { putContentType } from "./put-content-type.ts";
import { readContentType } from "./read-content-type.ts";
import { entryQuery, readEntry } from "./read-entry.ts";
import { readMedia } from "./read-media.ts";
import { fileQuery, readMediaFile } from "./read-media-file.ts";
import { readRedirect } from "./read-redirect.ts";
import { removeMedia } from "./remove-media.ts";
import { removeRedirect } from "./remove-redirect.ts";
import { resolveQuery, resolveRedirect } from "./resolve-redirect.ts";
import { restoreRevision } from "./restore-revision.ts";
import { scheduleEntry } from "./schedule-entry.ts";
import { unpublishEntry } from "./unpublish-entry.ts";
import { unscheduleEntry } from "./unschedule-entry.ts";
import { uploadMedia } from "./upload-media.ts";

const page = z.strictObject(pageQuery);
// Judged by the handler, beside what the content type says of it: every fault is told at once.
const unjudged = (json: unknown): unknown => json;

// biome-ignore format: a table is read by its columns.
export function routes(content: Content): Route[] {
  return [
    route({ method: "POST",   path: "/v1/redirects",         module: "content", role: "editor", scope: "write:content", body: redirectInput, handle: addRedirect(content) }),
    route({ method: "GET",    path: "/v1/redirects",         module: "content", role: "viewer", scope: "read:content",  query: page, handle: listRedirects(content) }),
    route({ method: "GET",    path: "/v1/redirects/resolve", module: "content", role: "viewer", scope: "read:content",  query: resolveQuery, handle: resolveRedirect(content) }),
    route({ method: "GET",    path: "/v1/redirects/:id",     module: "content", role: "viewer", scope: "read:content",  handle: readRedirect(content) }),
    route({ method: "DELETE", path: "/v1/redirects/:id",     module: "content", role: "editor", scope: "write:content", handle: removeRedirect(content) }),
    route({ method: "PUT",    path: "/v1/content-types/:slug", module: "content", role: "admin",  scope: "write:content", body: unjudged, handle: putContentType(content) }),
    route({ method: "GET",    path: "/v1/content-types",       module: "content", role: "viewer", scope: "read:content",  query: page, handle: listContentTypes(content) }),
    route({ method: "GET",    path: "/v1/content-types/:slug", module: "content", role: "viewer", scope: "read:content",  handle: readContentType(content) }),
    route({ method: "POST",   path: "/v1/entries",                              module: "content", role: "editor", scope: "write:content", body: unjudged, handle: createEntry(content) }),
    route({ method: "GET",    path: "/v1/entries",                              module: "content", role: "viewer", scope: "read:content",  query: entriesQuery, handle: listEntries(content) }),
    route({ method: "GET",    path: "/v1/entries/:id",                          module: "content", role: "viewer", scope: "read:content",  query: entryQuery, handle: readEntry(content) }),
    route({ method: "PATCH",  path: "/v1/entries/:id",                          module: "content", role: "editor", scope: "write:content", body: unjudged, handle: changeEntry(content) }),
    route({ method: "DELETE", path: "/v1/entries/:id",                          module: "content", role: "editor", scope: "write:content", handle: deleteEntry(content) }),
    route({ method: "POST",   path: "/v1/entries/:id/publish",                  module: "content", role: "editor", scope: "write:content", handle: publishEntry(content) }),
    route({ method: "POST",   path: "/v1/entries/:id/schedule",                 module: "content", role: "editor", scope: "write:content", body: scheduleInput, handle: scheduleEntry(content) }),
    route({ method: "DELETE", path: "/v1/entries/:id/schedule",                 module: "content", role: "editor", scope: "write:content", handle: unscheduleEntry(content) }),
    route({ method: "POST",   path: "/v1/entries/:id/unpublish",                module: "content", role: "editor", scope: "write:content", handle: unpublishEntry(content) }),
    route({ method: "GET",    path: "/v1/entries/:id/revisions",                module: "content", role: "viewer", scope: "read:content",  query: page, handle: listRevisions(content) }),
    route({ method: "POST",   path: "/v1/entries/:id/revisions/:n/restore",     module: "content", role: "editor", scope: "write:content", handle: restoreRevision(content) }),
    route({ method: "POST",   path: "/v1/media",             module: "content", role: "editor", scope: "write:content", handle: uploadMedia(content) }),
    route({ method: "GET",    path: "/v1/media",             module: "content", role: "viewer", scope: "read:content",  query: page, handle: listMedia(content) }),
    route({ method: "GET",    path: "/v1/media/:id",         module: "content", role: "viewer", scope: "read:content",  handle: readMedia(content) }),
    route({ method: "GET",    path: "/v1/media/:id/file",    module: "content", role: "viewer", scope: "read:content",  query: fileQuery, handle: readMediaFile(content) }),
    route({ method: "DELETE", path: "/v1/media/:id",         module: "content", role: "editor", scope: "write:content", handle: removeMedia(content) }),
  ];
}
