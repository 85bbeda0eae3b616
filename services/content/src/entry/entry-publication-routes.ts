// The routes that publish, schedule and unpublish entries (interface §5).
import { entry } from "@tradepost/event-catalog";
import { type ApiRequest, type ApiResponse, data, route } from "@tradepost/http";
import { insertRecord, insertUnchangedRecord, recording, withIdempotencyKey } from "@tradepost/idempotency";
import { admit } from "@tradepost/messaging";
import { WRITE } from "../route-parts.ts";
import type { Tenant } from "../tables.ts";
import { type ScheduleInput, scheduleInput } from "./entry-input.ts";
import { type Entry, entryOf, entryResponse } from "./entry-resource.ts";
import type { EntryContext } from "./entry-routes.ts";
import { type EntryRow, latestRevision, lockMatchingEntry } from "./entry-store.ts";
import { lockRedirectsOfMove, publishRevision, unpublishRevision } from "./publish-revision.ts";
import { scheduleRevision, unscheduleRevision } from "./schedule-revision.ts";

const tag = "Entries";

type BodylessRequest = ApiRequest<undefined, undefined>;

const publish = ({ tenants, onCommit }: EntryContext) =>
  route("POST /v1/entries/:id/publish", {
    ...WRITE,
    isIdempotent: true,
    about: {
      id: "publishEntry",
      tag,
      summary: "Publish the latest revision",
      description:
        "Any schedule ends. 422 names every required field that is missing, and every media asset and entry that does not exist, at `data.<key>`. When the path of a live entry changes, a redirect from the old path is added, and redirects that led there are changed. A revision that is live already changes nothing.",
      responses: { 200: data(entry) },
      etag: true,
      ifMatch: true,
      emits: ["content.entry.published", "redirect.added", "redirect.removed"],
    },
    handle: withIdempotencyKey(tenants, async (tenant, request: BodylessRequest) => {
      // The entry may get another slug before it is locked; the second attempt locks the redirects in any case.
      const response =
        (await publishLatest(tenant, request, { mayMove: false })) ??
        (await publishLatest(tenant, request, { mayMove: true }));
      if (response === null) throw new Error("the redirects are locked, but the entry was not published");
      onCommit();
      return response;
    }),
  });

/** Null, and nothing is written, if the entry moves but the redirects are not locked. */
async function publishLatest(
  tenant: Tenant,
  request: BodylessRequest,
  { mayMove }: { mayMove: boolean },
): Promise<ApiResponse | null> {
  return await tenant.transaction(async (tx) => {
    // In this order, in one round trip.
    const [areRedirectsLocked, before] = await Promise.all([
      lockRedirectsOfMove(tx, request.id, { always: mayMove }),
      lockMatchingEntry(tx, request),
    ]);
    const latest = await latestRevision(tx, before);
    const published = await publishRevision(tx, before, latest, { cause: request, areRedirectsLocked });
    if (published === null) return null;
    return await recorded(tx, request, before, published);
  });
}

export async function recorded(
  tx: Tenant,
  request: BodylessRequest,
  before: EntryRow,
  after: Entry,
): Promise<ApiResponse> {
  const response = entryResponse(after);
  if (after.version === before.version) await insertUnchangedRecord(tx, request, response);
  else await insertRecord(tx, request.idempotencyKey, response);
  return response;
}

const schedule = (context: EntryContext) =>
  route("POST /v1/entries/:id/schedule", {
    ...WRITE,
    isIdempotent: true,
    body: scheduleInput,
    about: {
      id: "scheduleEntry",
      tag,
      summary: "Publish the latest revision at a later time",
      description:
        "The revision that is the latest now goes live then, whatever is written until then, within 2 s of its time. It must be valid for publication now. `invalid_transition`: it is live already.",
      responses: { 200: data(entry) },
      errors: ["invalid_transition"],
      etag: true,
      ifMatch: true,
      emits: ["content.entry.scheduled"],
    },
    handle: recording(context, async (tx, request: ApiRequest<ScheduleInput, undefined>) => {
      const before = await lockMatchingEntry(tx, request);
      const latest = await latestRevision(tx, before);
      return entryResponse(await scheduleRevision(tx, before, latest, request.body.publishAt, request));
    }),
  });

const unschedule = (context: EntryContext) =>
  route("DELETE /v1/entries/:id/schedule", {
    ...WRITE,
    about: {
      id: "unscheduleEntry",
      tag,
      summary: "Cancel an entry's schedule",
      description: "A live revision stays live. `invalid_transition`: nothing is scheduled.",
      responses: { 200: data(entry) },
      errors: ["invalid_transition"],
      etag: true,
      ifMatch: true,
    },
    handle: recording(context, async (tx, request) => {
      const before = await lockMatchingEntry(tx, request);
      const after = await unscheduleRevision(tx, before);
      return entryResponse(entryOf(after, await latestRevision(tx, after)));
    }),
  });

const unpublish = (context: EntryContext) =>
  route("POST /v1/entries/:id/unpublish", {
    ...WRITE,
    isIdempotent: true,
    about: {
      id: "unpublishEntry",
      tag,
      summary: "Take a live entry down",
      description: "It is a draft again, and any schedule ends. `invalid_transition`: it is not live.",
      responses: { 200: data(entry) },
      errors: ["invalid_transition"],
      etag: true,
      ifMatch: true,
      emits: ["content.entry.unpublished"],
    },
    handle: recording(context, async (tx, request: BodylessRequest) => {
      const before = await lockMatchingEntry(tx, request);
      admit(request, "eventBytes");
      const after = await unpublishRevision(tx, before, request);
      return entryResponse(entryOf(after, await latestRevision(tx, after)));
    }),
  });

export const publicationRoutes = [publish, schedule, unschedule, unpublish];
