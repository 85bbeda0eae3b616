// Every action on an entry in every state: the response, the state and version afterwards, and exactly the events of interface §5.
// An action that changes nothing writes no event and leaves the version.
import { randomUUID } from "node:crypto";
import type { ClientResponse } from "@tradepost/testing";
import { dataOf, inSeconds, newDraft, outcome, putType } from "./support/editing.ts";
import { sharedTestContent, type TestTenant } from "./support/test-content.ts";

const PUBLISH_AT = inSeconds(3_600);

type Action = (tenant: TestTenant, path: string) => Promise<ClientResponse>;
const patch: Action = (tenant, path) => tenant.patch(path, { data: { title: "New" } });
const move: Action = (tenant, path) => tenant.patch(path, { slug: randomUUID() });
const patchNothing: Action = (tenant, path) => tenant.patch(path, {});
const publish: Action = (tenant, path) => tenant.post(`${path}/publish`);
const schedule: Action = (tenant, path) => tenant.post(`${path}/schedule`, { publishAt: PUBLISH_AT });
const scheduleLater: Action = (tenant, path) =>
  tenant.post(`${path}/schedule`, { publishAt: inSeconds(7_200) });
const unschedule: Action = (tenant, path) => tenant.delete(`${path}/schedule`);
const unpublish: Action = (tenant, path) => tenant.post(`${path}/unpublish`);
const remove: Action = (tenant, path) => tenant.delete(path);
const restoreFirst: Action = (tenant, path) => tenant.post(`${path}/revisions/1/restore`);
const restoreNone: Action = (tenant, path) => tenant.post(`${path}/revisions/99/restore`);
const change: Action = (tenant, path) => tenant.patch(path, { data: { title: "Second" } });

/** The actions that bring a draft into each state. */
const STATES = {
  draft: [change],
  scheduled: [change, schedule],
  live: [change, publish],
  "live with changes": [publish, change],
  "live and scheduled": [publish, change, schedule],
  deleted: [remove],
} satisfies Record<string, Action[]>;
type State = keyof typeof STATES;

const EVENTS: Readonly<Record<string, readonly string[]>> = {
  nothing: [],
  written: ["content.entry.updated", "content.revision.created"],
  published: ["content.entry.published"],
  scheduled: ["content.entry.scheduled"],
  unpublished: ["content.entry.unpublished"],
  deleted: ["content.entry.deleted"],
  both: ["content.entry.unpublished", "content.entry.deleted"],
};
const INVALID = "409 invalid_transition";
const UNKNOWN = "404 not_found";

// For each action in each state: the status, revision and live revision afterwards, and the events; or the refusal.
// biome-ignore format: a table is read by its columns.
const TABLE: readonly (readonly [string, Action, ...string[]])[] = [
  //                                       draft                          scheduled                      live                           live with changes              live and scheduled
  ["patch", patch,                         "draft 3 null + written",      "scheduled 3 null + written",  "published 3 2 + written",     "published 3 1 + written",     "scheduled 3 1 + written"],
  ["move", move,                           "draft 3 null + written",      "scheduled 3 null + written",  "published 3 2 + written",     "published 3 1 + written",     "scheduled 3 1 + written"],
  ["patch without changes", patchNothing,  "draft 2 null",                "scheduled 2 null",            "published 2 2",               "published 2 1",               "scheduled 2 1"],
  ["patch with the same", change,          "draft 2 null",                "scheduled 2 null",            "published 2 2",               "published 2 1",               "scheduled 2 1"],
  ["publish", publish,                     "published 2 2 + published",   "published 2 2 + published",   "published 2 2",               "published 2 2 + published",   "published 2 2 + published"],
  ["schedule", schedule,                   "scheduled 2 null + scheduled","scheduled 2 null",            INVALID,                       "scheduled 2 1 + scheduled",   "scheduled 2 1"],
  ["schedule for later", scheduleLater,    "scheduled 2 null + scheduled","scheduled 2 null + scheduled",INVALID,                       "scheduled 2 1 + scheduled",   "scheduled 2 1 + scheduled"],
  ["unschedule", unschedule,               INVALID,                       "draft 2 null",                INVALID,                       INVALID,                       "published 2 1"],
  ["unpublish", unpublish,                 INVALID,                       INVALID,                       "draft 2 null + unpublished",  "draft 2 null + unpublished",  "draft 2 null + unpublished"],
  ["restore", restoreFirst,                "draft 3 null + written",      "scheduled 3 null + written",  "published 3 2 + written",     "published 3 1 + written",     "scheduled 3 1 + written"],
  ["restore of no revision", restoreNone,  UNKNOWN,                       UNKNOWN,                       UNKNOWN,                       UNKNOWN,                       UNKNOWN],
  ["delete", remove,                       "gone + deleted",              "gone + deleted",              "gone + both",                 "gone + both",                 "gone + both"],
];

const content = await sharedTestContent();
const tenant = content.newTenant();
await putType(tenant);

describe("an entry's transitions", () => {
  test.each(
    TABLE.flatMap(([name, action, ...row]) =>
      Object.keys(STATES).map(
        (state, column) => [name, state as State, action, row[column] ?? UNKNOWN] as const,
      ),
    ),
  )("%s, when %s", async (_name, state, action, expected) => {
    const { path, id } = await newDraft(tenant, { title: "First" });
    for (const step of STATES[state]) dataOf(await step(tenant, path));
    const before = await tenant.get(path);
    const eventsBefore = (await content.events(id)).length;

    const response = await action(tenant, path);
    const events = (await content.events(id)).slice(eventsBefore);
    const after = await tenant.get(path);
    if (/^4/.test(expected)) {
      expect([outcome(response), events]).toEqual([expected, []]);
      expect(after.body.data).toEqual(before.body.data);
      return;
    }
    const [stateAfter, written = "nothing"] = expected.split(" + ");
    const types = EVENTS[written] ?? [];
    expect([response.status, events.map(({ type }) => type)]).toEqual([200, types]);
    if (stateAfter === "gone") {
      expect([after.status, response.body.data]).toEqual([404, { id, deleted: true }]);
      return;
    }
    expect(stateOf(after.body.data)).toBe(stateAfter);
    const version = before.body.data.version + (types.length > 0 || action === unschedule ? 1 : 0);
    const tags = [response, after, await tenant.get(`${path}?version=1`)].map(({ headers }) =>
      headers.get("etag"),
    );
    expect([after.body.data.version, ...tags]).toEqual([version, ...Array(3).fill(`"${version}"`)]);
    expect(response.body.data).toEqual(after.body.data);
    if (types.length === 0 && action !== unschedule) expect(after.body.data).toEqual(before.body.data);
    const [first] = events;
    if (first !== undefined && action !== unpublish) expect(first.data.entry).toEqual(after.body.data);
    expect(first?.data.entry.version ?? version).toBe(version);
  });
});

/** "published 3 2" */
function stateOf(entry: ClientResponse["body"]): string {
  const { status, revision, publishedRevision, hasUnpublishedChanges, publishAt, publishedAt } = entry;
  expect([publishAt !== null, publishedAt !== null, hasUnpublishedChanges]).toEqual([
    ...[status === "scheduled", publishedRevision !== null, publishedRevision !== revision],
  ]);
  return `${status} ${revision} ${publishedRevision}`;
}
