// Random commands on a few entries, compared with a model of interface §5 that shares no code with the service: responses,
// states, live revisions, slugs, events and redirects.
import fc from "fast-check";
import { dataOf, inSeconds, outcome, putType } from "./support/editing.ts";
import { sharedTestContent, type TestTenant } from "./support/test-content.ts";

const RUNS = 30;
const STEPS_MAX = 25;
const ENTRIES = 3;

interface ModelRevision {
  readonly slug: string;
  readonly title: string | null;
}
interface ModelEntry {
  readonly revisions: ModelRevision[];
  live: number | null;
  scheduled: number | null;
}
interface Model {
  readonly entries: (ModelEntry | null)[];
  readonly redirects: Map<string, string>;
}

const command = fc.record({
  which: fc.nat(ENTRIES - 1),
  action: fc.constantFrom(
    ...(["patch", "patch", "patch", "publish", "publish", "publish"] as const),
    ...(["schedule", "unschedule", "unpublish", "delete", "restore"] as const),
  ),
  slug: fc.constantFrom(undefined, "a", "b", "c", "d"),
  title: fc.constantFrom(undefined, undefined, "A", "B", null),
  revision: fc.integer({ min: 1, max: 4 }),
});
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

const CHANGED = ["content.entry.updated", "content.revision.created"];

/** Changes the model. Returns the events, or the error if the command is refused. */
function step(model: Model, { which, action, slug, title, revision }: Command): string | string[] {
  const entry = model.entries[which] ?? null;
  if (entry === null) {
    if (isTaken(model, which, slug ?? `own-${which}`)) return "409 conflict";
    const first = { slug: slug ?? `own-${which}`, title: title ?? null };
    model.entries[which] = { revisions: [first], live: null, scheduled: null };
    return ["content.entry.created", "content.revision.created"];
  }
  const latest = entry.revisions.length;
  const last = entry.revisions[latest - 1] as ModelRevision;
  if (action === "patch" || action === "restore") {
    const old = entry.revisions[revision - 1];
    if (action === "restore" && old === undefined) return "404 not_found";
    const patched = { slug: slug ?? last.slug, title: title === undefined ? last.title : title };
    const next = action === "restore" ? (old as ModelRevision) : patched;
    if (next.slug === last.slug && next.title === last.title) return [];
    if (isTaken(model, which, next.slug)) return "409 conflict";
    entry.revisions.push(next);
    return CHANGED;
  }
  if (action === "publish") {
    const before = entry.live === null ? null : (entry.revisions[entry.live - 1] as ModelRevision);
    if (entry.live !== latest && last.title === null) return "422 validation_error";
    const isLiveAlready = entry.live === latest;
    entry.live = latest;
    entry.scheduled = null;
    if (isLiveAlready) return [];
    const redirectEvents =
      before?.slug === last.slug ? [] : retarget(model.redirects, before?.slug ?? null, last.slug);
    return [...redirectEvents, "content.entry.published"];
  }
  if (action === "schedule") {
    if (entry.live === latest) return "409 invalid_transition";
    if (entry.scheduled === latest) return [];
    if (last.title === null) return "422 validation_error";
    entry.scheduled = latest;
    return ["content.entry.scheduled"];
  }
  if (action === "unschedule") {
    if (entry.scheduled === null) return "409 invalid_transition";
    entry.scheduled = null;
    return [];
  }
  if (action === "unpublish") {
    if (entry.live === null) return "409 invalid_transition";
    entry.live = null;
    entry.scheduled = null;
    return ["content.entry.unpublished"];
  }
  model.entries[which] = null;
  return [...(entry.live === null ? [] : ["content.entry.unpublished"]), "content.entry.deleted"];
}

function isTaken({ entries }: Model, which: number, slug: string): boolean {
  return entries.some(
    (entry, other) =>
      entry !== null &&
      other !== which &&
      [entry.revisions.length, entry.live, entry.scheduled].some(
        (n) => entry.revisions[(n ?? 0) - 1]?.slug === slug,
      ),
  );
}

/** Removes the redirect from the new slug, retargets redirects to the old slug, and adds one from the old slug. */
function retarget(redirects: Map<string, string>, from: string | null, to: string): string[] {
  const events = redirects.delete(to) ? ["redirect.removed"] : [];
  if (from === null) return events;
  for (const [source, target] of redirects) {
    if (target !== from) continue;
    redirects.set(source, to);
    events.push("redirect.removed", "redirect.added");
  }
  if (!redirects.has(from)) {
    redirects.set(from, to);
    events.push("redirect.added");
  }
  return events;
}

const content = await sharedTestContent();

describe("random commands on entries", () => {
  const publishAt = inSeconds(86_400);
  const send = (
    tenant: TestTenant,
    id: string | undefined,
    { which, action, slug, title, revision }: Command,
  ) => {
    const data = title === undefined ? {} : { title };
    if (id === undefined) {
      return tenant.post("/v1/entries", { type: "article", slug: slug ?? `own-${which}`, data });
    }
    const path = `/v1/entries/${id}`;
    if (action === "patch") return tenant.patch(path, { ...(slug !== undefined && { slug }), data });
    if (action === "schedule") return tenant.post(`${path}/schedule`, { publishAt });
    if (action === "unschedule") return tenant.delete(`${path}/schedule`);
    if (action === "delete") return tenant.delete(path);
    return tenant.post(action === "restore" ? `${path}/revisions/${revision}/restore` : `${path}/${action}`);
  };

  /** Compares everything that can be read with the model. */
  const compare = async (tenant: TestTenant, model: Model, ids: (string | undefined)[]) => {
    for (const [which, entry] of model.entries.entries()) {
      if (entry === null) continue;
      const path = `/v1/entries/${ids[which]}`;
      const expected = (number: number) => {
        const { slug, title } = entry.revisions[number - 1] as ModelRevision;
        return {
          ...{ revision: number, slug, data: title === null ? {} : { title } },
          status: entry.scheduled !== null ? "scheduled" : entry.live === null ? "draft" : "published",
          ...{ publishedRevision: entry.live, hasUnpublishedChanges: entry.live !== entry.revisions.length },
          publishAt: entry.scheduled === null ? null : publishAt,
        };
      };
      expect(dataOf(await tenant.get(path))).toMatchObject(expected(entry.revisions.length));
      const live = await tenant.get(`${path}?version=published`);
      if (entry.live === null) expect(live.status).toBe(404);
      else expect(dataOf(live)).toMatchObject(expected(entry.live));
      expect(dataOf(await tenant.get(`${path}/revisions?limit=100`)).length).toBe(entry.revisions.length);
    }
    for (const slug of ["a", "b", "c", "d", "own-0", "own-1", "own-2"]) {
      const { body } = await tenant.get(`/v1/redirects/resolve?path=/article/${slug}`);
      const to = model.redirects.get(slug);
      expect([slug, body.data?.to]).toEqual([slug, to && `/article/${to}`]);
    }
  };

  test("have the results of the model", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: STEPS_MAX }), async (commands) => {
        const tenant = content.newTenant();
        await putType(tenant);
        const model: Model = { entries: Array(ENTRIES).fill(null), redirects: new Map() };
        const ids: (string | undefined)[] = [];
        const types = ["content_type.upserted"];
        for (const one of commands) {
          const isNew = model.entries[one.which] === null;
          const expected = step(model, one);
          const response = await send(tenant, isNew ? undefined : ids[one.which], one);
          const expectedOutcome = typeof expected === "string" ? expected : isNew ? "201" : "200";
          expect([one, outcome(response)]).toEqual([one, expectedOutcome]);
          if (typeof expected === "string") continue;
          if (isNew) ids[one.which] = response.body.data.id;
          types.push(...expected);
        }
        await compare(tenant, model, ids);
        expect((await content.events(tenant.tenantId)).map(({ type }) => type)).toEqual(types);
      }),
      { numRuns: RUNS },
    );
  });
});
