// The baseline for orders: pgbench writes the rows of an order straight into Postgres, as fast as the machine can.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { execute, type Platform, provideBackupBinaries } from "@tradepost/devstack";
import { migrate } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";

export const CLIENTS = 16;
const DATABASE = "baseline";
export const TENANTS = 8;

/**
 * Prepares a database on the platform's Postgres server, and a script that copies the last order, which must have `lines`
 * lines and an Idempotency-Key. pgbench writes each order with one prepared statement, and does less than the service: as
 * superuser it bypasses row-level security, it takes no order number from a counter, and no relay moves its events.
 */
export async function preparePgbench({ superuserUrl, databases, dataDir }: Platform, lines: number) {
  const { directory, environment } = await provideBackupBinaries(console.log);
  const address = new URL(superuserUrl ?? "");
  const sample = await readSample(new URL(`/${path.basename(databases.orders)}`, address).href);
  await createDatabase(address);
  const script = path.join(dataDir, `pgbench-${lines}.sql`);
  await writeFile(script, scriptOf(lines));
  const variables = Object.entries(sample).flatMap(([name, value]) => ["-D", `${name}=${value}`]);
  const { hostname: PGHOST, port: PGPORT, username: PGUSER, password: PGPASSWORD } = address;
  const env = { ...environment, PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE: DATABASE };
  return async (seconds: number) => {
    const duration = String(Math.max(1, Math.ceil(seconds)));
    const { stdout } = await promisify(execFile)(
      path.join(directory, "pgbench"),
      [
        ...["-n", "-M", "prepared", "-c", String(CLIENTS), "-j", "2", "-T", duration, "-f", script],
        ...variables,
      ],
      { env },
    );
    const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    const count = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1]);
    return { perSecond, count };
  };
}

/** The baseline writes the same bytes. */
async function readSample(url: string) {
  const [sample] = await execute<Record<"event" | "response" | "fingerprint", string>>(
    url,
    `select answer::text as response, fingerprint::text as fingerprint,
            json_build_object('order', answer->'body'->'data')::text as event
       from idempotency_records order by created_at desc limit 1`,
  );
  if (sample === undefined) throw new Error("no order was placed that the baseline could copy");
  return sample;
}

async function createDatabase(address: URL): Promise<void> {
  const found = await execute(address.href, "select from pg_database where datname = $1", [DATABASE]);
  if (found.length === 0) await execute(address.href, `create database ${DATABASE}`);
  const url = new URL(`/${DATABASE}`, address).href;
  const folder = new URL("../migrations/", import.meta.resolve("@tradepost/orders/service"));
  await migrate({ url, folder, logger: createLogger("bench", "silent") });
  await execute(
    url,
    `insert into customers (tenant_id, id, name)
     select tenant, tenant, 'Bench' from (select ${tenantOf("number")} as tenant from generate_series(1, ${TENANTS}) number)
     on conflict do nothing`,
  );
}

function tenantOf(number: string): string {
  return `('00000000-0000-4000-8000-00000000000' || ${number})::uuid`;
}

function scriptOf(lines: number): string {
  const statement = `
    with placed as (
      insert into orders (tenant_id, id, customer_id, order_number, channel, currency, subtotal, shipping_total,
                          discount_total, tax_total, total, lines, shipping_address, placed_by, placed_request_id, placed_event_id)
      values (${tenantOf(":tenant")}, gen_random_uuid(), ${tenantOf(":tenant")}, :number, 'storefront', 'EUR', 119.94,
              4.9, 0, 4.8, 129.64,
              array_fill(row('TSHIRT-1', 'T-shirt, size 1', 2, 19.99, 1.6, null, null, null, null)::order_line, array[${lines}]),
              '{"line1":"Mannerheimintie 1","city":"Helsinki","postalCode":"00100","country":"FI"}',
              '{"type":"api_key","id":"x","name":"Bench"}', '0198c5b3-2f4a-7d21-8c5e-0a1b2c3d4e5f', gen_random_uuid())
      returning tenant_id, id, placed_event_id
    ), event as (
      insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
      select placed_event_id, id, 'order.placed', tenant_id, '0198c5b3-2f4a-7d21-8c5e-0a1b2c3d4e5f',
             '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '{"type":"api_key","id":"x","name":"Bench"}',
             :event::json
        from placed
    )
    insert into idempotency_records (tenant_id, route, key, fingerprint, answer)
    select tenant_id, 'POST /v1/orders', :number, :fingerprint::bytea, :response::json from placed;`;
  // In a pgbench script, a meta-command ends at the end of the line, and a statement at its semicolon.
  return `\\set tenant random(1, ${TENANTS})\n\\set number random(1, 1000000000000000000)\n${statement.trim()}\n`;
}
