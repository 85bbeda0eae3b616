// Inserts many scheduled entries straight into the tables, because it would take minutes through the API.
import type { TestContent, TestTenant } from "./test-content.ts";

const INSERT = `
  with inserted as (
    insert into entries (tenant_id, id, type, locale, slug, revision, publish_at, scheduled_revision, scheduled_by, schedule_try_at)
    select $1, gen_random_uuid(), $2, 'en', $3 || n, 1, at, 1, $6, at
      from generate_series(1, $4::int) n, (select $5::timestamptz as at) due
    returning id, type, slug
  ), revisions as (
    insert into entry_revisions (tenant_id, entry_id, id, revision, slug, data, actor)
    select $1, id, gen_random_uuid(), 1, slug, json_build_object('title', slug), '{}' from inserted
  ), slugs as (
    insert into entry_slugs (tenant_id, type, locale, slug, entry_id) select $1, type, 'en', slug, id from inserted
  )
  select id from inserted`;

const SCHEDULED_BY = JSON.stringify({
  actor: { type: "user", id: "00000000-0000-4000-8000-000000000000", name: "Test Owner" },
  requestId: "test",
  traceparent: "00-00000000000000000000000000000001-0000000000000001-01",
});

/** Inserts `count` entries that are due at `at`; `slugs` is the beginning of their slugs. Returns their ids. */
export async function insertDue(
  content: TestContent,
  tenant: TestTenant,
  {
    count,
    at,
    type = "article",
    slugs = "due-",
  }: { count: number; at: string; type?: string; slugs?: string },
): Promise<string[]> {
  const rows = await content.sql(INSERT, [tenant.tenantId, type, slugs, count, at, SCHEDULED_BY]);
  return rows.map(({ id }) => id);
}

/**
 * Makes the entries that are scheduled for `at` due now, in one transaction; `last` becomes due a millisecond later. A test
 * that needs time to prepare entries schedules them for the far future. Returns when they were due.
 */
export async function makeDue(content: TestContent, at: string, last?: string): Promise<string> {
  const [row] = await content.sql(
    `with due as (
       update entries set publish_at = now() + delay, schedule_try_at = now() + delay
         from (select id as delayed, case when id = $2 then interval '1 ms' else '0' end as delay from entries) delays
        where id = delayed and (publish_at = $1 or schedule_try_at = $1)
       returning publish_at)
     select min(publish_at) as at from due`,
    [at, last ?? null],
  );
  return row.at.toISOString();
}

/** The number of a tenant's entries that are still scheduled. */
export async function waitingCount(content: TestContent, { tenantId }: TestTenant): Promise<number> {
  const [row] = await content.sql(
    "select count(*)::int as count from entries where tenant_id = $1 and schedule_try_at is not null",
    [tenantId],
  );
  return row.count;
}
