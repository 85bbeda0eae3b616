// Concurrent changes of a tenant's redirects, on two replicas: they commit together, and have the same results as if they ran one
// after another. Uses real Postgres transactions that wait for each other.

import { until } from "@tradepost/testing";
import fc from "fast-check";
import { outcome } from "./support/editing.ts";
import { ownTestContent } from "./support/test-content.ts";

/** Creates a redirect, or deletes the one from this path that existed at first. */
type Change =
  | { readonly kind: "create"; readonly from: string; readonly to: string }
  | { readonly kind: "delete"; readonly from: string };
/** Each path with its target. */
type Site = ReadonlyMap<string, string>;

const content = await ownTestContent();
const other = await content.startReplica();

describe("concurrent changes of redirects", () => {
  test("commit together", async () => {
    const tenants = [content.newTenant(), content.newTenant()];
    const added = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        tenants[n % 2]?.post("/v1/redirects", { from: `/a${n}`, to: `/b${n}` }),
      ),
    );
    expect(added.map((response) => response?.status)).toEqual(Array(60).fill(201));
    const [{ count } = { count: Number.NaN }] = await content.sql(
      "select count(distinct xmin::text)::int from redirects where tenant_id = any($1)",
      [tenants.map(({ tenantId }) => tenantId)],
    );
    expect(count).toBeLessThan(60);
  });

  test("wait for the tenant's lock, and then see what its holder committed", async () => {
    const tenant = content.newTenant();
    const lock = "hashtextextended($1::text, 0)";
    const holder = await content.hold(`select pg_advisory_xact_lock(${lock})`, [tenant.tenantId]);
    const creating = [
      tenant.post("/v1/redirects", { from: "/b", to: "/a" }),
      tenant.post("/v1/redirects", { from: "/a", to: "/c" }),
      content.newTenant(tenant.tenantId, other.url).post("/v1/redirects", { from: "/x", to: "/a" }),
    ];
    // If the statements were in one group, only one of them would wait.
    await until("all three to wait, each in its own transaction", async () => {
      const [{ waiting } = { waiting: 0 }] = await content.sql(
        `select count(*)::int as waiting from pg_locks
          where locktype = 'advisory' and not granted
            and (classid::bigint << 32 | objid::bigint) = ${lock}`,
        [tenant.tenantId],
      );
      return waiting === 3;
    });
    await holder.query(
      `insert into redirects (tenant_id, id, from_path, to_target, to_path, type)
       values ($1, gen_random_uuid(), '/a', '/b', '/b', 301)`,
      [tenant.tenantId],
    );
    await holder.release();
    const outcomes = (await Promise.all(creating)).map(outcome);
    expect(outcomes).toEqual(["409 redirect_loop", "409 redirect_exists", "201"]);
  });

  test("have the same results as one after another", async () => {
    const path = fc.constantFrom("/a", "/b", "/c", "/d");
    const change = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant("create" as const), from: path, to: path }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), from: path }) },
    );
    const before = fc
      .uniqueArray(fc.tuple(path, path), { selector: ([from]) => from, maxLength: 3 })
      .filter((redirects) => createAll(redirects) !== null);
    await fc.assert(
      fc.asyncProperty(
        before,
        fc.array(change, { minLength: 2, maxLength: 6 }),
        async (existing, changes) => {
          const first = content.newTenant();
          const replicas = [first, content.newTenant(first.tenantId, other.url)] as const;
          const ids = new Map<string, string>();
          for (const [from, to] of existing) {
            ids.set(from, (await first.post("/v1/redirects", { from, to })).body.data.id);
          }
          const outcomes = await Promise.all(
            changes.map(async (one, index) => {
              const tenant = replicas[index % 2] ?? first;
              if (one.kind === "create") {
                return outcome(await tenant.post("/v1/redirects", { from: one.from, to: one.to }));
              }
              const id = ids.get(one.from) ?? "00000000-0000-7000-8000-000000000000";
              return outcome(await tenant.delete(`/v1/redirects/${id}`));
            }),
          );
          const { body } = await first.get("/v1/redirects");
          const after = body.data.map(({ from, to }: { from: string; to: string }) => `${from} ${to}`).sort();
          const start = createAll(existing) as Site;
          expect(isSerial(start, changes, outcomes, after)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** True if some order of the changes has these outcomes and leaves these redirects. */
function isSerial(
  start: Site,
  changes: readonly Change[],
  outcomes: readonly string[],
  after: readonly string[],
): boolean {
  function tryNext(site: Site, existing: ReadonlySet<string>, left: readonly number[]): boolean {
    if (left.length === 0) {
      return (
        [...site]
          .map(([from, to]) => `${from} ${to}`)
          .sort()
          .join() === after.join()
      );
    }
    return left.some((index) => {
      const next = apply(site, existing, changes[index] as Change);
      return (
        next.outcome === outcomes[index] &&
        tryNext(
          next.site,
          next.existing,
          left.filter((one) => one !== index),
        )
      );
    });
  }
  return tryNext(start, new Set(start.keys()), [...changes.keys()]);
}

/** `existing` has the paths whose first redirect has not been deleted. */
function apply(site: Site, existing: ReadonlySet<string>, change: Change) {
  if (change.kind === "delete") {
    if (!existing.has(change.from)) return { outcome: "404 not_found", site, existing };
    const without = <Entry>(entries: Iterable<Entry>, pathOf: (entry: Entry) => string) =>
      [...entries].filter((entry) => pathOf(entry) !== change.from);
    return {
      outcome: "200",
      site: new Map(without(site, ([from]) => from)),
      existing: new Set(without(existing, (from) => from)),
    };
  }
  if (leadsTo(site, change.to, change.from)) return { outcome: "409 redirect_loop", site, existing };
  if (site.has(change.from)) return { outcome: "409 redirect_exists", site, existing };
  return { outcome: "201", site: new Map([...site, [change.from, change.to]]), existing };
}

function leadsTo(site: Site, start: string, goal: string): boolean {
  let at: string | undefined = start;
  while (at !== undefined && at !== goal) at = site.get(at);
  return at === goal;
}

/** The site with these redirects, or null if they form a loop. */
function createAll(redirects: readonly (readonly [string, string])[]): Site | null {
  let site: Site = new Map();
  for (const [from, to] of redirects) {
    if (leadsTo(site, to, from)) return null;
    site = new Map([...site, [from, to]]);
  }
  return site;
}
