// The life of the entries with one slug as their clients see it (interface §5), one request after the other. At most one entry exists at
// a time. The model shares no code with the service. Pure.
import { modelOf } from "./linearize.ts";

/** All but `create` and `list` are about the entry with the id `of`. */
export type EntryRequest =
  | { readonly name: "create"; readonly title: string }
  | { readonly name: "list" }
  | { readonly name: "read" | "live"; readonly of: string }
  | { readonly name: "patch"; readonly of: string; readonly title: string; readonly ifMatch?: number }
  | { readonly name: "publish" | "unpublish" | "delete"; readonly of: string; readonly ifMatch?: number };

export interface ShownEntry {
  readonly id: string;
  readonly version: number;
  readonly revision: number;
  readonly title: string;
  readonly publishedRevision: number | null;
  readonly status: string;
  readonly hasUnpublishedChanges: boolean;
}

export type EntryResponse =
  | { readonly status: number; readonly entries: readonly ShownEntry[] }
  | { readonly status: number; readonly code: string };

interface Revision {
  readonly revision: number;
  readonly title: string;
}

export interface EntryState {
  readonly entry:
    | (Revision & {
        /** Null until a response has shown it, because the creation had none. */
        readonly id: string | null;
        readonly version: number;
        readonly live: Revision | null;
      })
    | null;
}

type Entry = NonNullable<EntryState["entry"]>;

export const NO_ENTRY: EntryState = { entry: null };

export const entryModel = modelOf<EntryState, EntryRequest, EntryResponse>(
  NO_ENTRY,
  ({ entry }, request, response) => {
    const known = { entry: entry && identified(entry, request, response) };
    return respond(known, request, idIn(response));
  },
);

/** Adds the id that a request or a response names, if it is not known yet. A 404 may be that of an earlier entry. */
function identified(entry: Entry, request: EntryRequest, response: EntryResponse | null): Entry {
  if (entry.id !== null || (response !== null && "code" in response && response.code === "not_found"))
    return entry;
  return { ...entry, id: "of" in request ? request.of : idIn(response) };
}

function idIn(response: EntryResponse | null): string | null {
  return response !== null && "entries" in response ? (response.entries[0]?.id ?? null) : null;
}

interface Result {
  readonly after: EntryState;
  readonly responds: EntryResponse;
}

/** A new entry gets the id `newId`. */
export function respond(state: EntryState, request: EntryRequest, newId: string | null): Result {
  const { entry } = state;
  const refused = (status: number, code: string): Result => ({ after: state, responds: { status, code } });
  const shows = (after: Entry, status = 200): Result => ({
    ...{ after: { entry: after }, responds: { status, entries: [shown(after, after)] } },
  });
  if (request.name === "create") {
    if (entry !== null) return refused(409, "conflict");
    return shows({ id: newId, version: 1, revision: 1, title: request.title, live: null }, 201);
  }
  if (request.name === "list") {
    const entries = entry === null ? [] : [shown(entry, entry)];
    return { after: state, responds: { status: 200, entries } };
  }
  if (entry === null || entry.id !== request.of) return refused(404, "not_found");
  const { version, revision, title, live } = entry;
  if ("ifMatch" in request && request.ifMatch !== version) return refused(412, "version_mismatch");
  const changed = (changes: Partial<Entry>) => shows({ ...entry, ...changes, version: version + 1 });
  switch (request.name) {
    case "read":
      return shows(entry);
    case "live":
      if (live === null) return refused(404, "not_found");
      return { after: state, responds: { status: 200, entries: [shown(entry, live)] } };
    case "patch":
      if (request.title === title) return shows(entry);
      return changed({ revision: revision + 1, title: request.title });
    case "publish":
      return live?.revision === revision ? shows(entry) : changed({ live: { revision, title } });
    case "unpublish":
      return live === null ? refused(409, "invalid_transition") : changed({ live: null });
    case "delete":
      return { after: NO_ENTRY, responds: { status: 200, entries: [] } };
  }
}

function shown({ id, version, revision, live }: Entry, shownRevision: Revision): ShownEntry {
  return {
    id: id ?? "",
    version,
    revision: shownRevision.revision,
    title: shownRevision.title,
    publishedRevision: live?.revision ?? null,
    status: live === null ? "draft" : "published",
    hasUnpublishedChanges: live?.revision !== revision,
  };
}
