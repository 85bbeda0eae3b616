// Finds deleted tenants that exist again in a database that was restored to an earlier moment. Each database keeps the digests of
// deleted tenants, so the others know which deletions the restored one has lost.
import { type ServiceName, tenantTables } from "@tradepost/data-map";
import { type QueryExecutorProvider, sql } from "kysely";
import { SERVICES } from "../addresses.ts";
import type { Operator } from "../arguments.ts";

// Whole tables are read, but only after a restore or during a deletion.
const OPTIONS = { statementTimeoutMs: 5 * 60 * 1_000 };

/** In the order of their ids. A tenant whose deletion has begun but not ended is left out. */
export async function findUndeleted({ on }: Operator) {
  const digests = await Promise.all(SERVICES.map((service) => on(service, readDigests)));
  const all = new Set(digests.flat());
  const found = await Promise.all(
    SERVICES.map(async (service, index) => {
      const own = new Set(digests[index]);
      const forgotten = [...all].filter((digest) => !own.has(digest));
      if (forgotten.length === 0) return [];
      const ids = await on(service, (db) => findRows(db, service, forgotten), OPTIONS);
      return ids.map((tenantId) => ({ tenantId, service }));
    }),
  );
  const byTenant = Map.groupBy(found.flat(), ({ tenantId }) => tenantId);
  const inDeletion = byTenant.size === 0 ? [] : await on("gateway", readInDeletion);
  return [...byTenant]
    .filter(([tenantId]) => !inDeletion.includes(tenantId))
    .map(([tenantId, rows]) => ({ tenantId, services: rows.map(({ service }) => service) }))
    .sort((a, b) => (a.tenantId < b.tenantId ? -1 : 1));
}

async function readDigests(db: QueryExecutorProvider): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    select encode(tenant_digest, 'hex') as digest from deleted_tenants`.execute(db);
  return rows.map(({ digest }) => digest);
}

async function findRows(
  db: QueryExecutorProvider,
  service: ServiceName,
  digests: readonly string[],
): Promise<string[]> {
  const ofTables = tenantTables[service].map(
    ({ name, tenantColumn }) => sql`select distinct ${sql.ref(tenantColumn)} as id from ${sql.table(name)}`,
  );
  const { rows } = await sql<{ id: string }>`
    select distinct id from (${sql.join(ofTables, sql` union all `)}) as tenant
     where encode(sha256(uuid_send(id)), 'hex') = any(${digests})`.execute(db);
  return rows.map(({ id }) => id);
}

async function readInDeletion(db: QueryExecutorProvider): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tenants where deletion_started_at is not null`.execute(db);
  return rows.map(({ id }) => id);
}
