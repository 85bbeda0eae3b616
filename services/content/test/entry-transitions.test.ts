// Every action on an entry from every state that it can be in: the answer, the state after it, and exactly the events
// that the contract names; none where nothing changes.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { ClientResponse } from "@tradepost/testing";
import { inSeconds, newDraft, outcome, putType, wanted } from "./support/editing.ts";
import {
  type NotedEvent,
  startTestContent,
  type TestContent,
  type TestTenant,
} from "./support/test-content.ts";

const PUBLISH_AT = inSeconds(3_600);

type Call = (tenant: TestTenant, path: string) => Promise<ClientResponse>;
const patch: Call = (tenant, path) => tenant.patch(path, { data: { title: "New" } });
const patchNothing: Call = (tenant, path) => tenant.patch(path, {});
const publish: Call = (tenant, path) => tenant.post(`${path}/publish`);
const schedule: Call = (tenant, path) => tenant.post(`${path}/schedule`, { publishAt: PUBLISH_AT });
const scheduleLater: Call = (tenant, path) =>
  tenant.post(`${path}/schedule`, { publishAt: inSeconds(7_200) });
const unschedule: Call = (tenant, path) => tenant.delete(`${path}/schedule`);
const unpublish: Call = (tenant, path) => tenant.post(`${path}/unpublish`);
const remove: Call = (tenant, path) => tenant.delete(path);
const restoreFirst: Call = (tenant, path) => tenant.post(`${path}/revisions/1/restore`);
const restoreNone: Call = (tenant, path) => tenant.post(`${path}/revisions/99/restore`);
const change: Call = (tenant, path) => tenant.patch(path, { data: { title: "Second" } });

/** How to come to a state from a draft. */
const STATES = {
  draft: [change],
  scheduled: [change, schedule],
  live: [change, publish],
  "live with changes": [publish, change],
  "live and scheduled": [publish, change, schedule],
  deleted: [remove],
} satisfies Record<string, Call[]>;
type State = keyof typeof STATES;

const WRITTEN = ["content.entry.updated", "content.revision.created"];
const PUBLISHED = ["content.entry.published"];
const SCHEDULED = ["content.entry.scheduled"];
const NOT_SO = "409 invalid_transition";
const GONE = { deleted: "404 not_found" } as const;

/** Expected: a refusal, or the status with revision and live revision after it, and the events. */
type Expected = string | readonly [after: string, events: readonly string[]];
const TABLE: readonly [string, Call, Record<State, Expected>][] = [
  [
    "patch",
    patch,
    {
      draft: ["draft 3 live null", WRITTEN],
      scheduled: ["scheduled 3 live null", WRITTEN],
      live: ["published 3 live 2 changed", WRITTEN],
      "live with changes": ["published 3 live 1 changed", WRITTEN],
      "live and scheduled": ["scheduled 3 live 1 changed", WRITTEN],
      ...GONE,
    },
  ],
  [
    "patch of nothing",
    patchNothing,
    {
      draft: ["draft 2 live null", []],
      scheduled: ["scheduled 2 live null", []],
      live: ["published 2 live 2", []],
      "live with changes": ["published 2 live 1 changed", []],
      "live and scheduled": ["scheduled 2 live 1 changed", []],
      ...GONE,
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
      ...GONE,
    },
  ],
  [
    "schedule",
    schedule,
    {
      draft: ["scheduled 2 live null", SCHEDULED],
      scheduled: ["scheduled 2 live null", []],
      live: NOT_SO,
      "live with changes": ["scheduled 2 live 1 changed", SCHEDULED],
      "live and scheduled": ["scheduled 2 live 1 changed", []],
      ...GONE,
    },
  ],
  [
    "schedule for another time",
    scheduleLater,
    {
      draft: ["scheduled 2 live null", SCHEDULED],
      scheduled: ["scheduled 2 live null", SCHEDULED],
      live: NOT_SO,
      "live with changes": ["scheduled 2 live 1 changed", SCHEDULED],
      "live and scheduled": ["scheduled 2 live 1 changed", SCHEDULED],
      ...GONE,
    },
  ],
  [
    "unschedule",
    unschedule,
    {
      draft: NOT_SO,
      scheduled: ["draft 2 live null", []],
      live: NOT_SO,
      "live with changes": NOT_SO,
      "live and scheduled": ["published 2 live 1 changed", []],
      ...GONE,
    },
  ],
  [
    "unpublish",
    unpublish,
    {
      draft: NOT_SO,
      scheduled: NOT_SO,
      live: ["draft 2 live null", ["content.entry.unpublished"]],
      "live with changes": ["draft 2 live null", ["content.entry.unpublished"]],
      "live and scheduled": ["draft 2 live null", ["content.entry.unpublished"]],
      ...GONE,
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
      ...GONE,
    },
  ],
  [
    "restore of none",
    restoreNone,
    {
      draft: "404 not_found",
      scheduled: "404 not_found",
      live: "404 not_found",
      "live with changes": "404 not_found",
      "live and scheduled": "404 not_found",
      ...GONE,
    },
  ],
  [
    "delete",
    remove,
    {
      draft: ["gone", ["content.entry.deleted"]],
      scheduled: ["gone", ["content.entry.deleted"]],
      live: ["gone", ["content.entry.deleted"]],
      "live with changes": ["gone", ["content.entry.deleted"]],
      "live and scheduled": ["gone", ["content.entry.deleted"]],
      ...GONE,
    },
  ],
];

describe("an entry's transitions", () => {
  let content: TestContent;
  let tenant: TestTenant;
  let told: (id: string) => Promise<NotedEvent[]>;
  beforeAll(async () => {
    content = await startTestContent();
    told = await content.noteEvents();
    tenant = content.newTenant();
    await putType(tenant);
  });
  afterAll(() => content.stop());

  test.each(
    TABLE.flatMap(([name, call, row]) =>
      Object.entries(row).map(([state, expected]) => [name, state as State, call, expected] as const),
    ),
  )("%s: %s", async (_name, state, call, expected) => {
    const { path, id } = await newDraft(tenant, { title: "First" });
    for (const step of STATES[state]) wanted(await step(tenant, path));
    const before = await tenant.get(path);
    const eventsBefore = (await told(id)).length;

    const answer = await call(tenant, path);
    const events = (await told(id)).slice(eventsBefore);
    const after = await tenant.get(path);
    if (typeof expected === "string") {
      expect([outcome(answer), events]).toEqual([expected, []]);
      expect(after.body.data).toEqual(before.body.data);
      return;
    }
    const [stateAfter, types] = expected;
    expect([answer.status, events.map(({ type }) => type)]).toEqual([200, types]);
    if (stateAfter === "gone") {
      expect([after.status, answer.body.data]).toEqual([404, { id, deleted: true }]);
      return;
    }
    expect(shown(after.body.data)).toBe(stateAfter);
    expect(answer.body.data).toEqual(after.body.data);
    if (types.length === 0 && call !== unschedule) expect(after.body.data).toEqual(before.body.data);
    const [first] = events;
    if (first !== undefined && call !== unpublish) expect(first.data.entry).toEqual(after.body.data);
  });
});

/** "published 3 live 2 changed" */
function shown(entry: ClientResponse["body"]): string {
  const { status, revision, publishedRevision, hasUnpublishedChanges, publishAt, publishedAt } = entry;
  expect([publishAt !== null, publishedAt !== null]).toEqual([
    status === "scheduled",
    publishedRevision !== null,
  ]);
  const isChanged = publishedRevision !== null && hasUnpublishedChanges;
  return `${status} ${revision} live ${publishedRevision}${isChanged ? " changed" : ""}`;
}
