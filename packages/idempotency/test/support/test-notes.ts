// A small service whose POSTs honour Idempotency-Keys: notes in a table of their own, two replicas, a real database.
import { randomBytes, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import {
  ApiError,
  created,
  etagOf,
  identifyBySignature,
  metadata,
  notFound,
  ok,
  type Route,
  requireMatch,
  route,
  serveHttp,
  startListening,
} from "@tradepost/http";
import {
  connectPostgres,
  isDatabaseUnavailable,
  type PostgresOptions,
  type Tenant,
  tenantOf,
  violatedConstraint,
} from "@tradepost/postgres";
import { createLogger, createMetrics, newId } from "@tradepost/runtime";
import {
  type ClientResponse,
  createTestDatabase,
  openTestPool,
  signedClient,
  until,
} from "@tradepost/testing";
import { sql } from "kysely";
import type pg from "pg";
import { z } from "zod";
import { recording, withKeyOfRepeatable } from "../../src/with-idempotency-key.ts";

type Tables = Record<string, never>;
type NoteInput = z.output<typeof noteInput>;
type AppendInput = z.output<typeof appendInput>;

/** The package's own SQL files, which migrations include in this order. */
const SQL_FOLDER = new URL("../../sql/", import.meta.url);
const ROLE = "tradepost_idempotency_test";
const NAME = "notes";
export const logger = createLogger("test", "silent");

// The README lists these rights.
const CREATE_NOTES = `
  create table notes (tenant_id uuid not null, id uuid primary key, text text not null, version int not null default 1);
  create unique index notes_text on notes (tenant_id, text);
  do $$ begin create role ${ROLE} nologin; exception when duplicate_object or unique_violation then null; end $$;
  grant usage on schema public to ${ROLE};
  grant select, insert, update on notes to ${ROLE};
  grant select, insert, delete on idempotency_records to ${ROLE}`;

const noteInput = z.strictObject({
  text: z.string().min(1),
  tags: z.array(z.string()).optional(),
  metadata: metadata.optional(),
});
const appendInput = z.strictObject({ more: z.string().optional() });

export function isReplayed({ headers }: ClientResponse): boolean {
  const replayed = headers.get("idempotent-replayed");
  expect([null, "true"]).toContain(replayed);
  return replayed !== null;
}

/** The status, and the code of the error or whether the response is one of an earlier request. */
export function outcome(response: ClientResponse): [number, string | boolean] {
  return [response.status, response.body.error?.code ?? isReplayed(response)];
}

/** Creates the database and starts two replicas, for the tests of a file. */
export async function useTestNotes() {
  const running = new AsyncDisposableStack();
  afterAll(() => running.disposeAsync());
  const database = await createTestDatabase();
  running.defer(database.drop);
  const owner = openTestPool(database.url, 4);
  running.defer(() => owner.end());
  for (const file of (await readdir(SQL_FOLDER)).sort())
    await owner.query(await readFile(new URL(file, SQL_FOLDER), "utf8"));
  await owner.query(CREATE_NOTES);

  const secret = randomBytes(32).toString("hex");
  const urls: string[] = [];
  for (const _ of [1, 2]) {
    const replica = await startReplica(database.url, secret);
    running.defer(replica.stop);
    urls.push(replica.url);
  }
  const [url = "", otherUrl = ""] = urls;
  const openTenant = () => {
    const tenantId: string = randomUUID();
    /** At the first replica unless `at` names another. Each client has an API key of its own. */
    const clientAt = (at = url, scopes = ["write:crm"]) => {
      const actor = { type: "api_key", id: randomUUID(), name: "Shop" } as const;
      return signedClient(at, secret, { tenantId, scopes, actor });
    };
    const count = async (table: "notes" | "idempotency_records") =>
      (await owner.query(`select count(*)::int from ${table} where tenant_id = $1`, [tenantId])).rows[0]
        .count;
    return {
      tenantId,
      client: clientAt(),
      clientAt,
      /** The numbers of notes and of records. */
      counts: async (): Promise<[number, number]> => [
        await count("notes"),
        await count("idempotency_records"),
      ],
      age: (by: string) =>
        owner.query("update idempotency_records set created_at = now() - $2::interval where tenant_id = $1", [
          tenantId,
          by,
        ]),
    };
  };
  return {
    connect: (options: Omit<PostgresOptions, "url" | "logger">) =>
      running.adopt(connectPostgres<Tables>({ url: database.url, logger, ...options }), ({ stop }) => stop()),
    owner,
    role: ROLE,
    url,
    otherUrl,
    openTenant,
    /** Locks the notes, so that requests wait in the middle of their transactions. */
    lockNotes: () => lockNotes(owner),
  };
}

async function lockNotes(owner: pg.Pool) {
  const holder = await owner.connect();
  await holder.query("begin; lock table notes in exclusive mode");
  return {
    /** Resolves with the pids of the waiting backends once there are `count` of them. */
    waiting: (count: number) => waitingBackends(owner, count),
    release: async () => {
      await holder.query("rollback");
      holder.release();
    },
  };
}

/** Resolves with the pids of the replicas' backends that wait for a lock once there are `count` of them. */
export async function waitingBackends(owner: pg.Pool, count: number): Promise<number[]> {
  return await until(`${count} waiting statements`, async () => {
    const { rows } = await owner.query<{ pid: number }>(
      `select pid from pg_stat_activity
        where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
      [NAME],
    );
    return rows.length === count && rows.map(({ pid }) => pid);
  });
}

async function startReplica(databaseUrl: string, secret: string) {
  const { db, stop } = connectPostgres<Tables>({
    ...{ url: databaseUrl, role: ROLE, name: NAME, connectionsMax: 16, logger },
  });
  const server = serveHttp({
    listener: await startListening({ host: "127.0.0.1", port: 0 }),
    idleGraceMs: 0,
    routes: routes({ of: (tenantId) => tenantOf(db, tenantId) }),
    identify: identifyBySignature([secret]),
    readiness: {},
    replicated: async () => {},
    logger,
    metrics: createMetrics("test"),
    metricsOn: "this port",
    isUnavailable: isDatabaseUnavailable,
  });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await stop();
    },
  };
}

// Three routes as a service has them. The first creates a note, the second changes it; the third may run twice without harm.
function routes(tenants: { of(tenantId: string): Tenant<Tables> }): Route[] {
  const editor = { module: null, role: "editor", scope: "write:crm" } as const;
  const common = { ...editor, about: null, isIdempotent: true } as const;
  const ofNote = { ...common, body: appendInput, bodyIsOptional: true } as const;
  return [
    route("POST /v1/notes", {
      ...common,
      body: noteInput,
      keepsTextOf: ["metadata"],
      handle: recording<Tenant<Tables>, NoteInput>({ tenants }, (tx, { body }) => createNote(tx, body)),
    }),
    route("POST /v1/notes/:id/append", {
      ...ofNote,
      handle: recording<Tenant<Tables>, AppendInput>({ tenants }, (tx, { id, raw }) =>
        appendTo(tx, id, raw.headers["if-match"]),
      ),
    }),
    route("POST /v1/notes/:id/check", {
      ...ofNote,
      handle: withKeyOfRepeatable<Tenant<Tables>, AppendInput>(tenants, async (tenant, { id }) => {
        const version = await findVersion(tenant, id);
        if (version === null) throw notFound("note");
        return ok({ id, version, checkedAs: newId() });
      }),
    }),
  ];
}

async function createNote(tx: Tenant<Tables>, input: NoteInput) {
  const id = newId();
  try {
    await sql`insert into notes (tenant_id, id, text) values (${tx.tenantId}, ${id}, ${input.text})`.execute(
      tx.db,
    );
  } catch (error) {
    if (violatedConstraint(error) !== "notes_text") throw error;
    throw new ApiError("conflict", "Another note has this text.");
  }
  const note = { id, ...input, received: "a\u0000b", version: 1 };
  return created(note, `/v1/notes/${id}`, { etag: etagOf(1), "cache-control": "no-store" });
}

async function appendTo(tx: Tenant<Tables>, id: string, ifMatch: string | undefined) {
  const { rows } = await sql<{ version: number }>`
    update notes set version = version + 1 where tenant_id = ${tx.tenantId} and id = ${id}
    returning version`.execute(tx.db);
  const [row] = rows;
  if (row === undefined) throw notFound("note");
  requireMatch(ifMatch, row.version - 1);
  return ok({ id, version: row.version }, { etag: etagOf(row.version) });
}

async function findVersion({ db, tenantId }: Tenant<Tables>, id: string): Promise<number | null> {
  const { rows } = await sql<{ version: number }>`
    select version from notes where tenant_id = ${tenantId} and id = ${id}`.execute(db);
  return rows[0]?.version ?? null;
}
