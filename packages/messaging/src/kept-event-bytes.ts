// Sums up how many bytes of a tenant's events a service keeps, for its quota. The relay counts what it publishes, so few rows are read.

interface TenantStatements {
  readonly tenantId: string;
  query<Row extends object>(statement: { text: string; values: unknown[] }): Promise<{ rows: Row[] }>;
}

/** Resolves with the bytes of the data of a tenant's events in the outbox and of those that are published and kept (interface §19). */
export async function keptEventBytes(tenant: TenantStatements): Promise<number> {
  const { rows } = await tenant.query<{ bytes: number }>({ text: KEPT, values: [tenant.tenantId] });
  return rows[0]?.bytes ?? 0;
}

// One statement, so that an event that is moved meanwhile counts once. An erasure may subtract bytes of events that a relay of 0.2.0 has
// moved and not counted.
const KEPT = `
  select (greatest((select coalesce(sum(bytes), 0) from event_bytes where tenant_id = $1), 0)
          + (select coalesce(sum(size_bytes), 0) from outbox where tenant_id = $1))::float8 as bytes`;
