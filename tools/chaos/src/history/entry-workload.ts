// Requests of several clients about the entry with one slug, which they create, change, publish and delete at the same time
// (interface §5).
import { randomUUID } from "node:crypto";
import {
  type EntryRequest,
  type EntryResponse,
  type EntryState,
  entryModel,
  type ShownEntry,
} from "./entry-model.ts";
import type { Workload } from "./workload.ts";

export const HISTORY_CONTENT_TYPE = "history";

export interface WorkedEntry {
  readonly slug: string;
  /** The latest entry that a client has seen, and its version; null after its deletion. */
  latest: { readonly id: string; readonly version: number } | null;
}

export const entryWorkload: Workload<WorkedEntry, EntryState, EntryRequest, EntryResponse> = {
  model: entryModel,
  create: () => ({ slug: randomUUID(), latest: null }),
  choose: ({ latest }, random) => newEntryRequest(latest, random),
  lastOf: () => ({ name: "list" }),
  httpOf: ({ slug }, request) => {
    const path = "/v1/entries";
    if (request.name === "list") {
      return { method: "GET", path: `${path}?type=${HISTORY_CONTENT_TYPE}&slug=${slug}` };
    }
    if (request.name === "create") {
      const body = { type: HISTORY_CONTENT_TYPE, slug, data: { title: request.title } };
      return { method: "POST", path, body };
    }
    const entry = `${path}/${request.of}`;
    const headers = "ifMatch" in request ? { "if-match": `"${request.ifMatch}"` } : {};
    switch (request.name) {
      case "read":
        return { method: "GET", path: entry };
      case "live":
        return { method: "GET", path: `${entry}?version=published` };
      case "patch":
        return { method: "PATCH", path: entry, headers, body: { data: { title: request.title } } };
      case "delete":
        return { method: "DELETE", path: entry, headers };
      default:
        return { method: "POST", path: `${entry}/${request.name}`, headers };
    }
  },
  responseOf: (known, { status, body: { data, error } }) => {
    if (error !== undefined) return { status, code: error.code };
    const entries = data.deleted === true ? [] : ([data].flat().map(shownOf) as ShownEntry[]);
    known.latest = entries[0] ?? null;
    return { status, entries };
  },
};

// Nearly every title is new, so that each revision can be recognized.
const TITLES_MAX = 1_000_000;

/** `latest` is null if the client does not know that there is an entry. */
function newEntryRequest(latest: WorkedEntry["latest"], random: () => number): EntryRequest {
  const title = `Title ${Math.floor(random() * TITLES_MAX)}`;
  const chance = random();
  if (latest === null || chance < 0.08) return random() < 0.6 ? { name: "create", title } : { name: "list" };
  const { id: of, version } = latest;
  const ifMatch = random() < 0.3 ? { ifMatch: version } : {};
  if (chance < 0.38) return { name: "patch", of, title, ...ifMatch };
  if (chance < 0.56) return { name: "publish", of, ...ifMatch };
  if (chance < 0.66) return { name: "unpublish", of, ...ifMatch };
  if (chance < 0.7) return { name: "delete", of, ...ifMatch };
  if (chance < 0.75) return { name: "list" };
  return { name: chance < 0.88 ? "read" : "live", of };
}

function shownOf(entry: Omit<ShownEntry, "title"> & { data: { title: string } }): ShownEntry {
  const { id, version, revision, publishedRevision, status, hasUnpublishedChanges, data } = entry;
  return { id, version, revision, title: data.title, publishedRevision, status, hasUnpublishedChanges };
}
