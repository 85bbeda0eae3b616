// Any lives of a few entries, held against a model of contract §5 that shares nothing with the product: answers, states,
// what is live, slugs, events, and where every path leads.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { inSeconds, outcome, putType, wanted } from "./support/editing.ts";
import {
  type NotedEvent,
  startTestContent,
  type TestContent,
  type TestTenant,
} from "./support/test-content.ts";

const RUNS = 60;
const STEPS_MAX = 25;
const ENTRIES = 3;

interface Written {
  readonly slug: string;
  readonly title: string | null;
}
interface Life {
  readonly revisions: Written[];
  live: number | null;
  scheduled: number | null;
}
interface Model {
  readonly lives: (Life | null)[];
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

const WRITTEN = ["content.entry.updated", "content.revision.created"];

/** Out: a refusal, or the events; the model has moved then. */
function step(model: Model, { which, action, slug, title, revision }: Command): string | string[] {
  const life = model.lives[which] ?? null;
  if (life === null) {
    if (isTaken(model, which, slug ?? `own-${which}`)) return "409 conflict";
    const first = { slug: slug ?? `own-${which}`, title: title ?? null };
    model.lives[which] = { revisions: [first], live: null, scheduled: null };
    return ["content.entry.created", "content.revision.created"];
  }
  const latest = life.revisions.length;
  const last = life.revisions[latest - 1] as Written;
  if (action === "patch" || action === "restore") {
    const old = life.revisions[revision - 1];
    if (action === "restore" && old === undefined) return "404 not_found";
    const patched = { slug: slug ?? last.slug, title: title === undefined ? last.title : title };
    const next = action === "restore" ? (old as Written) : patched;
    if (next.slug === last.slug && next.title === last.title) return [];
    if (isTaken(model, which, next.slug)) return "409 conflict";
    life.revisions.push(next);
    return WRITTEN;
  }
  if (action === "publish") {
    const before = life.live === null ? null : (life.revisions[life.live - 1] as Written);
    if (life.live !== latest && last.title === null) return "422 validation_error";
    const isLiveAlready = life.live === latest;
    life.live = latest;
    life.scheduled = null;
    if (isLiveAlready) return [];
    const told = before?.slug === last.slug ? [] : appear(model.redirects, before?.slug ?? null, last.slug);
    return [...told, "content.entry.published"];
  }
  if (action === "schedule") {
    if (life.live === latest) return "409 invalid_transition";
    if (life.scheduled === latest) return [];
    if (last.title === null) return "422 validation_error";
    life.scheduled = latest;
    return ["content.entry.scheduled"];
  }
  if (action === "unschedule") {
    if (life.scheduled === null) return "409 invalid_transition";
    life.scheduled = null;
    return [];
  }
  if (action === "unpublish") {
    if (life.live === null) return "409 invalid_transition";
    life.live = null;
    life.scheduled = null;
    return ["content.entry.unpublished"];
  }
  model.lives[which] = null;
  return ["content.entry.deleted"];
}

function isTaken({ lives }: Model, which: number, slug: string): boolean {
  return lives.some(
    (life, other) =>
      life !== null &&
      other !== which &&
      [life.revisions.length, life.live, life.scheduled].some(
        (n) => life.revisions[(n ?? 0) - 1]?.slug === slug,
      ),
  );
}

/** Nothing leads away from the new slug; what led to the old one, if any, leads to the new one, and so does the old one. */
function appear(redirects: Map<string, string>, from: string | null, to: string): string[] {
  const told = redirects.delete(to) ? ["redirect.removed"] : [];
  if (from === null) return told;
  for (const [source, target] of redirects) {
    if (target !== from) continue;
    redirects.set(source, to);
    told.push("redirect.removed", "redirect.added");
  }
  if (!redirects.has(from)) {
    redirects.set(from, to);
    told.push("redirect.added");
  }
  return told;
}

describe("any lives of entries", () => {
  let content: TestContent;
  let told: (id: string) => Promise<NotedEvent[]>;
  beforeAll(async () => {
    content = await startTestContent();
    told = await content.noteEvents();
  });
  afterAll(() => content.stop());

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

  /** Everything that can be read, against the model. */
  const compare = async (tenant: TestTenant, model: Model, ids: (string | undefined)[]) => {
    for (const [which, life] of model.lives.entries()) {
      if (life === null) continue;
      const path = `/v1/entries/${ids[which]}`;
      const shows = (number: number) => {
        const { slug, title } = life.revisions[number - 1] as Written;
        return {
          ...{ revision: number, slug, data: title === null ? {} : { title } },
          status: life.scheduled !== null ? "scheduled" : life.live === null ? "draft" : "published",
          ...{ publishedRevision: life.live, hasUnpublishedChanges: life.live !== life.revisions.length },
          publishAt: life.scheduled === null ? null : publishAt,
        };
      };
      expect(wanted(await tenant.get(path))).toMatchObject(shows(life.revisions.length));
      const live = await tenant.get(`${path}?version=published`);
      if (life.live === null) expect(live.status).toBe(404);
      else expect(wanted(live)).toMatchObject(shows(life.live));
      expect(wanted(await tenant.get(`${path}/revisions?limit=100`)).length).toBe(life.revisions.length);
    }
    for (const slug of ["a", "b", "c", "d", "own-0", "own-1", "own-2"]) {
      const { body } = await tenant.get(`/v1/redirects/resolve?path=/article/${slug}`);
      const to = model.redirects.get(slug);
      expect([slug, body.data?.to]).toEqual([slug, to && `/article/${to}`]);
    }
  };

  test("are the ones that the model tells", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: STEPS_MAX }), async (commands) => {
        const tenant = content.newTenant();
        await putType(tenant);
        const model: Model = { lives: Array(ENTRIES).fill(null), redirects: new Map() };
        const ids: (string | undefined)[] = [];
        const types = ["content_type.upserted"];
        for (const one of commands) {
          const isNew = model.lives[one.which] === null;
          const expected = step(model, one);
          const answer = await send(tenant, isNew ? undefined : ids[one.which], one);
          const expectedOutcome = typeof expected === "string" ? expected : isNew ? "201" : "200";
          expect([one, outcome(answer)]).toEqual([one, expectedOutcome]);
          if (typeof expected === "string") continue;
          if (isNew) ids[one.which] = answer.body.data.id;
          types.push(...expected);
        }
        await compare(tenant, model, ids);
        expect((await told(tenant.tenantId)).map(({ type }) => type)).toEqual(types);
      }),
      { numRuns: RUNS },
    );
  });

  test("of one entry that stays live are led to from everywhere that it was, in one step", async () => {
    const slugs = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 2, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(slugs, async (path) => {
        const tenant = content.newTenant();
        await putType(tenant);
        const made = await tenant.post("/v1/entries", {
          type: "article",
          slug: path[0],
          data: { title: "A" },
        });
        const { id } = wanted(made);
        for (const slug of path) {
          wanted(await tenant.patch(`/v1/entries/${id}`, { slug }));
          wanted(await tenant.post(`/v1/entries/${id}/publish`));
        }
        const present = path.at(-1);
        for (const slug of new Set(path)) {
          const { body } = await tenant.get(`/v1/redirects/resolve?path=/article/${slug}`);
          expect([path, slug, body.data?.to]).toEqual([
            path,
            slug,
            slug === present ? undefined : `/article/${present}`,
          ]);
        }
      }),
      { numRuns: 25 },
    );
  });
});
