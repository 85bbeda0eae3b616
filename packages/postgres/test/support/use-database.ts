// A database for the tests of a file, and connections to it.
import { connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { createTestDatabase } from "@tradepost/testing";

type Options = Partial<Parameters<typeof connectPostgres>[0]>;

export const logger = createLogger("test", "silent");

/** Connects once, unless `options` say otherwise. The caller stops it. */
export function connect<Tables = Record<string, never>>(url: string, options: Options = {}) {
  return connectPostgres<Tables>({ url, name: "test", connectionsMax: 1, logger, ...options });
}

/** The error of the promise; undefined if it resolves. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Drops the database after the tests. `owner` has up to 10 connections. */
export async function useDatabase<Tables = Record<string, never>>() {
  const { url, drop } = await createTestDatabase();
  const owner = connect<Tables>(url, { name: "owner", connectionsMax: 10 });
  const ending = new AsyncDisposableStack();
  ending.defer(drop);
  ending.defer(owner.stop);
  afterAll(() => ending.disposeAsync());
  return {
    url,
    owner,
    /** Runs `work` before `owner` stops, the latest first. */
    atEnd: (work: () => Promise<unknown>) => ending.defer(async () => void (await work())),
    /** The role sees only the notes of the current tenant. */
    createTenantRole: async (role: string, rights: string, ...tables: string[]) => {
      await owner.pool.query(`
        do $$ begin create role ${role} nologin; exception when duplicate_object or unique_violation then null; end $$;
        do $$ begin
          if not (select rolsuper from pg_roles where rolname = current_user) then grant ${role} to current_user; end if;
        end $$;
        grant usage on schema public to ${role};
        grant ${rights} on ${tables.join(", ")} to ${role};
        alter table notes enable row level security;
        create policy one_tenant on notes to ${role}
          using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid)`);
    },
  };
}
