// The routes of the content service: who may use each, what it accepts, and its handler.
import { pageOnly, type Route, route } from "@tradepost/http";
import { contentTypeInput } from "../content-type/content-type-input.ts";
import { deferred } from "../deferred-body.ts";
import { entriesQuery, entryChange, entryInput, entryQuery, scheduleInput } from "../entry/entry-input.ts";
import { fileQuery, linkInput, linkQuery } from "../media/media-input.ts";
import { redirectInput, redirectsQuery, resolveQuery } from "../redirect/redirect-input.ts";
import { contentEventsAbout } from "./about/content-events.ts";
import { contentTypeAbouts } from "./about/content-types.ts";
import { entryAbouts } from "./about/entries.ts";
import { mediaAbouts } from "./about/media.ts";
import { redirectAbouts } from "./about/redirects.ts";
import { changeEntry } from "./change-entry.ts";
import type { Content } from "./context.ts";
import { createEntry } from "./create-entry.ts";
import { createMediaLink } from "./create-media-link.ts";
import { createRedirect } from "./create-redirect.ts";
import { deleteEntry } from "./delete-entry.ts";
import { deleteMedia } from "./delete-media.ts";
import { deleteRedirect } from "./delete-redirect.ts";
import { endMediaLinks } from "./end-media-links.ts";
import { listContentTypes } from "./list-content-types.ts";
import { listEntries } from "./list-entries.ts";
import { eventsQuery, listEvents } from "./list-events.ts";
import { listMedia } from "./list-media.ts";
import { listRedirects } from "./list-redirects.ts";
import { listRevisions } from "./list-revisions.ts";
import { publishEntry } from "./publish-entry.ts";
import { putContentType } from "./put-content-type.ts";
import { readContentType } from "./read-content-type.ts";
import { readEntry } from "./read-entry.ts";
import { readLinkedFile } from "./read-linked-file.ts";
import { readMedia } from "./read-media.ts";
import { readMediaFile } from "./read-media-file.ts";
import { readRedirect } from "./read-redirect.ts";
import { resolveRedirect } from "./resolve-redirect.ts";
import { restoreRevision } from "./restore-revision.ts";
import { scheduleEntry } from "./schedule-entry.ts";
import { unpublishEntry } from "./unpublish-entry.ts";
import { unscheduleEntry } from "./unschedule-entry.ts";
import { uploadMedia } from "./upload-media.ts";

// biome-ignore format: a table is read by its columns.
export function routes(content: Content): Route[] {
  return [
    route({ method: "POST",   path: "/v1/redirects",         module: "content", role: "editor", scope: "write:content", isIdempotent: true, body: redirectInput, about: redirectAbouts.create, handle: createRedirect(content) }),
    route({ method: "GET",    path: "/v1/redirects",         module: "content", role: "viewer", scope: "read:content",  query: redirectsQuery, about: redirectAbouts.list, handle: listRedirects(content) }),
    route({ method: "GET",    path: "/v1/redirects/resolve", module: "content", role: "viewer", scope: "read:content",  query: resolveQuery, about: redirectAbouts.resolve, handle: resolveRedirect(content) }),
    route({ method: "GET",    path: "/v1/redirects/:id",     module: "content", role: "viewer", scope: "read:content",  about: redirectAbouts.get, handle: readRedirect(content) }),
    route({ method: "DELETE", path: "/v1/redirects/:id",     module: "content", role: "editor", scope: "write:content", about: redirectAbouts.delete, handle: deleteRedirect(content) }),
    route({ method: "PUT",    path: "/v1/content-types/:slug", module: "content", role: "admin",  scope: "write:content", body: deferred(contentTypeInput), about: contentTypeAbouts.put, handle: putContentType(content) }),
    route({ method: "GET",    path: "/v1/content-types",       module: "content", role: "viewer", scope: "read:content",  query: pageOnly, about: contentTypeAbouts.list, handle: listContentTypes(content) }),
    route({ method: "GET",    path: "/v1/content-types/:slug", module: "content", role: "viewer", scope: "read:content",  about: contentTypeAbouts.get, handle: readContentType(content) }),
    route({ method: "POST",   path: "/v1/entries",                              module: "content", role: "editor", scope: "write:content", isIdempotent: true, body: deferred(entryInput), about: entryAbouts.create, handle: createEntry(content) }),
    route({ method: "GET",    path: "/v1/entries",                              module: "content", role: "viewer", scope: "read:content",  query: entriesQuery, about: entryAbouts.list, handle: listEntries(content) }),
    route({ method: "GET",    path: "/v1/entries/:id",                          module: "content", role: "viewer", scope: "read:content",  query: entryQuery, about: entryAbouts.get, handle: readEntry(content) }),
    route({ method: "PATCH",  path: "/v1/entries/:id",                          module: "content", role: "editor", scope: "write:content", body: deferred(entryChange), about: entryAbouts.update, handle: changeEntry(content) }),
    route({ method: "DELETE", path: "/v1/entries/:id",                          module: "content", role: "editor", scope: "write:content", about: entryAbouts.delete, handle: deleteEntry(content) }),
    route({ method: "POST",   path: "/v1/entries/:id/publish",                  module: "content", role: "editor", scope: "write:content", isIdempotent: true, about: entryAbouts.publish, handle: publishEntry(content) }),
    route({ method: "POST",   path: "/v1/entries/:id/schedule",                 module: "content", role: "editor", scope: "write:content", isIdempotent: true, body: scheduleInput, about: entryAbouts.schedule, handle: scheduleEntry(content) }),
    route({ method: "DELETE", path: "/v1/entries/:id/schedule",                 module: "content", role: "editor", scope: "write:content", about: entryAbouts.unschedule, handle: unscheduleEntry(content) }),
    route({ method: "POST",   path: "/v1/entries/:id/unpublish",                module: "content", role: "editor", scope: "write:content", isIdempotent: true, about: entryAbouts.unpublish, handle: unpublishEntry(content) }),
    route({ method: "GET",    path: "/v1/entries/:id/revisions",                module: "content", role: "viewer", scope: "read:content",  query: pageOnly, about: entryAbouts.listRevisions, handle: listRevisions(content) }),
    route({ method: "POST",   path: "/v1/entries/:id/revisions/:n/restore",     module: "content", role: "editor", scope: "write:content", isIdempotent: true, about: entryAbouts.restoreRevision, handle: restoreRevision(content) }),
    route({ method: "GET",    path: "/v1/content/events",    module: "content", role: "viewer", scope: "read:content",  query: eventsQuery, about: contentEventsAbout, handle: listEvents(content) }),
    // The handler reads the body, a multipart form, itself: it streams the file.
    route({ method: "POST",   path: "/v1/media",             module: "content", role: "editor", scope: "write:content", about: mediaAbouts.upload, handle: uploadMedia(content) }),
    route({ method: "GET",    path: "/v1/media",             module: "content", role: "viewer", scope: "read:content",  query: pageOnly, about: mediaAbouts.list, handle: listMedia(content) }),
    route({ method: "GET",    path: "/v1/media/:id",         module: "content", role: "viewer", scope: "read:content",  about: mediaAbouts.get, handle: readMedia(content) }),
    route({ method: "GET",    path: "/v1/media/:id/file",    module: "content", role: "viewer", scope: "read:content",  query: fileQuery, about: mediaAbouts.getFile, handle: readMediaFile(content) }),
    route({ method: "POST",   path: "/v1/media/:id/links",      module: "content", role: "editor", scope: "read:content",  isIdempotent: true, body: linkInput, bodyIsOptional: true, about: mediaAbouts.createLink, handle: createMediaLink(content) }),
    route({ method: "DELETE", path: "/v1/media/:id/links",      module: "content", role: "editor", scope: "write:content", about: mediaAbouts.endLinks, handle: endMediaLinks(content) }),
    // For everyone who has the link. The gateway signs these requests too, as a viewer of no tenant and without modules.
    route({ method: "GET",    path: "/v1/media/:id/links/file", module: null,      role: "viewer", scope: null,            query: linkQuery, about: mediaAbouts.getLinkedFile, handle: readLinkedFile(content) }),
    route({ method: "DELETE", path: "/v1/media/:id",         module: "content", role: "editor", scope: "write:content", about: mediaAbouts.delete, handle: deleteMedia(content) }),
  ];
}
