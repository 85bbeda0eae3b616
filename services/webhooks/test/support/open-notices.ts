// Opens notices that are to be sent, as the service stores them.
import type { TestTenant, TestWebhooks } from "./webhooks.ts";

/** Each has been tried `attemptsMore` times more than the one before, at intervals of an hour. */
export async function openNotices(
  { pool }: Pick<TestWebhooks, "pool">,
  tenants: readonly Pick<TestTenant, "tenantId">[],
  count: number,
  attemptsMore = 0,
) {
  await pool.query(
    `insert into notice_messages (tenant_id, id, notice_id, change, channel, attempt_count, created_at, notice)
     select tenant_id, gen_random_uuid(), gen_random_uuid(), 'opened', channel, (number - 1) * $3,
            now() - (number - 1) * $3 * interval '1 hour',
            '{"subject": "Test", "kind": "endpoint_down", "openedAt": "2026-01-01T00:00:00.000Z", "whatHappensNext": "Nothing."}'
       from unnest($1::uuid[]) as tenant (tenant_id)
      cross join unnest(array['webhook', 'mail']) as channel
       join notice_destinations using (tenant_id)
      cross join generate_series(1, $2) as number
      where case channel when 'mail' then cardinality(emails) > 0 else url is not null end`,
    [tenants.map(({ tenantId }) => tenantId), count, attemptsMore],
  );
}
