// The routes of the audit log (interface §2, §25).
import {
  cursorPage,
  data,
  exporter,
  exportQuery,
  file,
  listed,
  ok,
  page,
  pageQuery,
  route,
  shaped,
  timestamp,
} from "@tradepost/http";
import { newestFirst, tenantOf } from "@tradepost/postgres";
import type { Kysely } from "kysely";
import { z } from "zod";
import { ADMIN } from "../requirements.ts";
import type { Tables, Tenant } from "../tables.ts";
import { readChain, readHead } from "./audit-chain.ts";
import { type AuditEntryShown, entryOf } from "./audit-log-store.ts";

export interface AuditLogContext {
  readonly db: Kysely<Tables>;
}

const time = timestamp.max(64, "must be at most 64 characters").transform((text) => new Date(text));

// Stored ids are in lower case.
const id = z.string().max(100).toLowerCase();

const auditQuery = z.strictObject({
  ...pageQuery,
  action: z.string().max(100).optional().describe("Only entries of this action, such as `api_key.created`."),
  actorId: id.optional().describe("Only what this key or user did."),
  targetId: id.optional().describe("Only what was done to this resource."),
  after: time.optional().describe("Inclusive."),
  before: time.optional().describe("Exclusive."),
});

type AuditQuery = z.output<typeof auditQuery>;

const ENTRY_NUMBER = /^(0|[1-9]\d{0,14})$/;
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const auditEntry = z
  .strictObject({
    id: z.uuid(),
    at: z.iso.datetime(),
    actor: z
      .strictObject({
        type: z.enum(["api_key", "user", "operator", "holder"]),
        id: z.string(),
        name: z.string(),
      })
      .describe("Who made the change; an operator by the command line, a holder by ending its own key"),
    action: z.string().describe("Such as `api_key.created` or `auth.login_failed`"),
    target: z.strictObject({
      type: z.string().describe("Such as `api_key`, `user` or `webhook_subscription`"),
      id: z.string(),
    }),
    changes: z.looseObject({}).describe("The changed fields, by their names in the API; never a secret"),
    requestId: z.string().describe("The `X-Request-Id` of the request"),
    ip: z.string().nullable().describe("Null for a change without a request, such as an operator's"),
    userAgent: z.string().nullable().describe("Null like `ip`"),
    n: z.int().positive().describe("From 1 in each tenant, without gaps."),
    hash: hash.describe(
      "Of the hash of the entry before it (64 zeros before the first), a line feed, and this entry without `hash` as canonical JSON (RFC 8785).",
    ),
  })
  .meta({ id: "AuditEntry", description: "Who changed what and when. Entries are never modified." });

const tag = "Audit log";

const list = ({ db }: AuditLogContext) =>
  route("GET /v1/audit-log", {
    ...ADMIN,
    query: auditQuery,
    about: {
      id: "listAuditLog",
      tag,
      summary: "List the entries of the audit log",
      description: "The newest come first. Entries match all filters.",
      responses: { 200: page(auditEntry) },
    },
    handle: async ({ principal, query }) => {
      const rows = await listAuditLog(tenantOf(db, principal.tenantId), query);
      return listed(cursorPage(rows, query.limit, { shown: ({ shown }) => shown }));
    },
  });

/** Newest first; one row more than the limit if there is a next page. */
async function listAuditLog(tenant: Tenant, query: AuditQuery) {
  let matching = tenant.db.selectFrom("audit_log").selectAll().where("tenant_id", "=", tenant.tenantId);
  if (query.action !== undefined) matching = matching.where("action", "=", query.action);
  if (query.actorId !== undefined) matching = matching.where("actor_id", "=", query.actorId);
  if (query.targetId !== undefined) matching = matching.where("target_id", "=", query.targetId);
  if (query.after !== undefined) matching = matching.where("created_at", ">=", query.after);
  if (query.before !== undefined) matching = matching.where("created_at", "<", query.before);
  const rows = await newestFirst(matching, query).execute();
  return rows.map(entryOf);
}

const chainQuery = z.strictObject({
  ...exportQuery,
  after: shaped(z.string().regex(/^\d+$/, "must be a whole number"), z.string().regex(ENTRY_NUMBER))
    .optional()
    .describe(
      "The `n` of the last entry of an export that was interrupted: this one goes on after it. 0 is the start.",
    ),
});

const EXPORTED_ROWS_MAX = 500;

const CELLS: Readonly<Record<string, (entry: AuditEntryShown) => unknown>> = {
  n: ({ n }) => n,
  at: ({ at }) => at,
  actorType: ({ actor }) => actor.type,
  actorId: ({ actor }) => actor.id,
  actorName: ({ actor }) => actor.name,
  action: ({ action }) => action,
  targetType: ({ target }) => target.type,
  targetId: ({ target }) => target.id,
  changes: ({ changes }) => changes,
  requestId: ({ requestId }) => requestId,
  ip: ({ ip }) => ip,
  userAgent: ({ userAgent }) => userAgent,
  id: ({ id }) => id,
  hash: ({ hash }) => hash,
};

const exportAll = ({ db }: AuditLogContext) => {
  const respond = exporter();
  return route("GET /v1/audit-log/export", {
    ...ADMIN,
    query: chainQuery,
    about: {
      ...{ id: "exportAuditLog", tag, summary: "Export the audit log, oldest first" },
      description:
        "The lines of `ndjson` are the entries that `listAuditLog` shows; `verifyAuditLog` of the client verifies their chain. An interrupted export is continued with `after`.",
      responses: { 200: file("text/csv", "application/x-ndjson") },
    },
    handle: (request) => {
      const tenant = tenantOf(db, request.principal.tenantId);
      return respond<AuditEntryShown>(request, {
        name: "audit-log",
        columns: Object.keys(CELLS),
        lines: (entry) => [Object.values(CELLS).map((cell) => cell(entry))],
        isId: (text) => ENTRY_NUMBER.test(text),
        find: async (n) => ((await readHead(tenant)).n >= Number(n) ? positionOf(Number(n)) : null),
        readPage: async (after) => {
          const rows = await readChain(tenant, Number(after?.id ?? 0), EXPORTED_ROWS_MAX);
          const last = rows.length < EXPORTED_ROWS_MAX ? undefined : rows.at(-1);
          return { rows, next: last === undefined ? null : positionOf(last.n) };
        },
      });
    },
  });
};

function positionOf(n: number) {
  return { createdAt: new Date(0), id: String(n) };
}

const head = ({ db }: AuditLogContext) =>
  route("GET /v1/audit-log/head", {
    ...ADMIN,
    about: {
      ...{ id: "getAuditLogHead", tag, summary: "Get the last entry's number and hash" },
      description: "Kept elsewhere, it shows later whether the log was cut or written again.",
      responses: {
        200: data(
          z.strictObject({
            n: z.int().nonnegative().describe("0 without an entry."),
            hash: hash.describe("64 zeros without an entry."),
            at: z.iso.datetime().nullable(),
          }),
        ),
      },
    },
    handle: async ({ principal }) => ok(await readHead(tenantOf(db, principal.tenantId))),
  });

export const auditLogRoutes = [list, exportAll, head];
