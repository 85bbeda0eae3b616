// Every action on an entry in every state: the response, the state afterwards, and exactly the events of interface §5. An
// action that changes nothing writes no event.
import { describe, expect, test } from "@jest/globals";
import type { ClientResponse } from "@tradepost/testing";
import { dataOf, inSeconds, newDraft, outcome, putType } from "./support/editing.ts";
import { sharedTestContent, type TestTenant } from "./support/test-content.ts";

const PUBLISH_AT = inSeconds(3_600);

type Action = (tenant: TestTenant, path: string) => Promise<ClientResponse>;
const patch: Action = (tenant, path) => tenant.patch(path, { data: { title: "New" } });
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

const WRITTEN = ["content.entry.updated", "content.revision.created"];
const PUBLISHED = ["content.entry.published"];
const SCHEDULED = ["content.entry.scheduled"];
const INVALID = "409 invalid_transition";
const NOT_FOUND = { deleted: "404 not_found" } as const;

/** Either an error, or the state afterwards (status, revision, live revision) with the events. */
type Expected = string | readonly [after: string, events: readonly string[]];
const TABLE: readonly [string, Action, Record<State, Expected>][] = [
  [
    "patch",
    patch,
    {
      draft: ["draft 3 live null", WRITTEN],
      scheduled: ["scheduled 3 live null", WRITTEN],
      live: ["published 3 live 2 changed", WRITTEN],
      "live with changes": ["published 3 live 1 changed", WRITTEN],
      "live and scheduled": ["scheduled 3 live 1 changed", WRITTEN],
      ...NOT_FOUND,
    },
  ],
  [
    "patch without changes",
    patchNothing,
    {
      draft: ["draft 2 live null", []],
      scheduled: ["scheduled 2 live null", []],
      live: ["published 2 live 2", []],
      "live with changes": ["published 2 live 1 changed", []],
      "live and scheduled": ["scheduled 2 live 1 changed", []],
      ...NOT_FOUND,
    },
  ],
  [
    "publish",
    publish,
    {
      draft: ["published 2 live 2", PUBLISHED],
      scheduled: ["published 2 live 2", PUBLISHED],
      live: ["published 2 live 2", []],
      "live with changes": ["published 2 live 2", PUBLISHED],
      "live and scheduled": ["published 2 live 2", PUBLISHED],
      ...NOT_FOUND,
    },
  ],
  [
    "schedule",
    schedule,
    {
      draft: ["scheduled 2 live null", SCHEDULED],
      scheduled: ["scheduled 2 live null", []],
      live: INVALID,
      "live with changes": ["scheduled 2 live 1 changed", SCHEDULED],
      "live and scheduled": ["scheduled 2 live 1 changed", []],
      ...NOT_FOUND,
    },
  ],
  [
    "schedule for another time",
    scheduleLater,
    {
      draft: ["scheduled 2 live null", SCHEDULED],
      scheduled: ["scheduled 2 live null", SCHEDULED],
      live: INVALID,
      "live with changes": ["scheduled 2 live 1 changed", SCHEDULED],
      "live and scheduled": ["scheduled 2 live 1 changed", SCHEDULED],
      ...NOT_FOUND,
    },
  ],
  [
    "unschedule",
    unschedule,
    {
      draft: INVALID,
      scheduled: ["draft 2 live null", []],
      live: INVALID,
      "live with changes": INVALID,
      "live and scheduled": ["published 2 live 1 changed", []],
      ...NOT_FOUND,
    },
  ],
  [
    "unpublish",
    unpublish,
    {
      draft: INVALID,
      scheduled: INVALID,
      live: ["draft 2 live null", ["content.entry.unpublished"]],
      "live with changes": ["draft 2 live null", ["content.entry.unpublished"]],
      "live and scheduled": ["draft 2 live null", ["content.entry.unpublished"]],
      ...NOT_FOUND,
    },
  ],
  [
    "restore",
    restoreFirst,
    {
      draft: ["draft 3 live null", WRITTEN],
      scheduled: ["scheduled 3 live null", WRITTEN],
      live: ["published 3 live 2 changed", WRITTEN],
      "live with changes": ["published 3 live 1 changed", WRITTEN],
      "live and scheduled": ["scheduled 3 live 1 changed", WRITTEN],
      ...NOT_FOUND,
    },
  ],
  [
    "restore of an unknown revision",
    restoreNone,
    {
      draft: "404 not_found",
      scheduled: "404 not_found",
      live: "404 not_found",
      "live with changes": "404 not_found",
      "live and scheduled": "404 not_found",
      ...NOT_FOUND,
    },
  ],
  [
    "delete",
    remove,
    {
      draft: ["deleted", ["content.entry.deleted"]],
      scheduled: ["deleted", ["content.entry.deleted"]],
      live: ["deleted", ["content.entry.unpublished", "content.entry.deleted"]],
      "live with changes": ["deleted", ["content.entry.unpublished", "content.entry.deleted"]],
      "live and scheduled": ["deleted", ["content.entry.unpublished", "content.entry.deleted"]],
      ...NOT_FOUND,
    },
  ],
];

const content = await sharedTestContent();
const eventsOf = await content.recordEvents();
const tenant = content.newTenant();
await putType(tenant);

describe("an entry's transitions", () => {
  test.each(
    TABLE.flatMap(([name, action, row]) =>
      Object.entries(row).map(([state, expected]) => [name, state as State, action, expected] as const),
    ),
  )("%s, when %s", async (_name, state, action, expected) => {
    const { path, id } = await newDraft(tenant, { title: "First" });
    for (const step of STATES[state]) dataOf(await step(tenant, path));
    const before = await tenant.get(path);
    const eventsBefore = (await eventsOf(id)).length;

    const response = await action(tenant, path);
    const events = (await eventsOf(id)).slice(eventsBefore);
    const after = await tenant.get(path);
    if (typeof expected === "string") {
      expect([outcome(response), events]).toEqual([expected, []]);
      expect(after.body.data).toEqual(before.body.data);
      return;
    }
    const [stateAfter, types] = expected;
    expect([response.status, events.map(({ type }) => type)]).toEqual([200, types]);
    if (stateAfter === "deleted") {
      expect([after.status, response.body.data]).toEqual([404, { id, deleted: true }]);
      return;
    }
    expect(stateOf(after.body.data)).toBe(stateAfter);
    expect(response.body.data).toEqual(after.body.data);
    if (types.length === 0 && action !== unschedule) expect(after.body.data).toEqual(before.body.data);
    const [first] = events;
    if (first !== undefined && action !== unpublish) expect(first.data.entry).toEqual(after.body.data);
  });
});

/** "published 3 live 2 changed" */
function stateOf(entry: ClientResponse["body"]): string {
  const { status, revision, publishedRevision, hasUnpublishedChanges, publishAt, publishedAt } = entry;
  expect([publishAt !== null, publishedAt !== null]).toEqual([
    status === "scheduled",
    publishedRevision !== null,
  ]);
  const isChanged = publishedRevision !== null && hasUnpublishedChanges;
  return `${status} ${revision} live ${publishedRevision}${isChanged ? " changed" : ""}`;
}
