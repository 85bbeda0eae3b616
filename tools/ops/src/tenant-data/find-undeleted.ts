// Finds deleted tenants that exist again in a database that was restored to an earlier moment. Each database keeps the digests of
// deleted tenants, so the others know which deletions the restored one has lost.
import { type ServiceName, tenantTables } from "@tradepost/data-map";
import { sql } from "kysely";
import type { Addresses } from "../addresses.ts";
import { withDatabase } from "../with-database.ts";

export interface UndeletedTenant {
  readonly tenantId: string;
  readonly services: readonly ServiceName[];
}

const SERVICES = Object.keys(tenantTables) as ServiceName[];
// Whole tables are read, but only after a restore or during a deletion.
const STATEMENT_TIMEOUT_MS = 5 * 60 * 1_000;

/** In the order of their ids. A tenant whose deletion has begun but not ended is left out. */
export async function findUndeleted({ databases }: Pick<Addresses, "databases">): Promise<UndeletedTenant[]> {
  const digests = await Promise.all(SERVICES.map((service) => readDigests(databases[service])));
  const all = new Set(digests.flat());
  const found = await Promise.all(
    SERVICES.map(async (service, index) => {
      const own = new Set(digests[index]);
      const forgotten = [...all].filter((digest) => !own.has(digest));
      const ids = forgotten.length === 0 ? [] : await findRows(databases[service], service, forgotten);
      return ids.map((tenantId) => ({ tenantId, service }));
    }),
  );
  const byTenant = Map.groupBy(found.flat(), ({ tenantId }) => tenantId);
  const inDeletion = byTenant.size === 0 ? [] : await readInDeletion(databases.gateway);
  return [...byTenant]
    .filter(([tenantId]) => !inDeletion.includes(tenantId))
    .map(([tenantId, rows]) => ({ tenantId, services: rows.map(({ service }) => service) }))
    .sort((a, b) => (a.tenantId < b.tenantId ? -1 : 1));
}

function readDigests(url: string): Promise<string[]> {
  return withDatabase(url, async (db) => {
    const { rows } = await sql<{ digest: string }>`
      select encode(tenant_digest, 'hex') as digest from deleted_tenants`.execute(db);
    return rows.map(({ digest }) => digest);
  });
}

function findRows(url: string, service: ServiceName, digests: readonly string[]): Promise<string[]> {
  const ofTables = tenantTables[service].map(
    ({ name, tenantColumn }) => sql`select distinct ${sql.ref(tenantColumn)} as id from ${sql.table(name)}`,
  );
  return withDatabase(
    url,
    async (db) => {
      const { rows } = await sql<{ id: string }>`
        select distinct id from (${sql.join(ofTables, sql` union all `)}) as tenant
         where encode(sha256(uuid_send(id)), 'hex') = any(${digests})`.execute(db);
      return rows.map(({ id }) => id);
    },
    { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
  );
}

function readInDeletion(url: string): Promise<string[]> {
  return withDatabase(url, async (db) => {
    const { rows } = await sql<{ id: string }>`
      select id from tenants where deletion_started_at is not null`.execute(db);
    return rows.map(({ id }) => id);
  });
}
