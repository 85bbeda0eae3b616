// The route of the audit log (interface §2).
import { type ApiRequest, cursorPage, listed, page, pageQuery, route, timestamp } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "../tables.ts";
import { listAuditLog } from "./audit-log-store.ts";

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
      .describe(
        "Who made the change; an operator acts with the command line of the platform, a holder has ended the key that it had",
      ),
    action: z.string().describe("Such as `api_key.created` or `auth.login_failed`"),
    target: z.strictObject({
      type: z.string().describe("Such as `api_key`, `user` or `webhook_subscription`"),
      id: z.string(),
    }),
    changes: z.looseObject({}).describe("The changed fields, by their names in the API; never a secret"),
    requestId: z.string().describe("The `X-Request-Id` of the request"),
    ip: z.string().nullable().describe("Null for a change without a request, such as an operator's"),
    userAgent: z.string().nullable().describe("Null like `ip`"),
  })
  .meta({ id: "AuditEntry", description: "Who changed what and when. Entries are never modified." });

const list = ({ db }: AuditLogContext) =>
  route({
    method: "GET",
    path: "/v1/audit-log",
    module: null,
    role: "admin",
    scope: null,
    query: auditQuery,
    about: {
      id: "listAuditLog",
      tag: "Audit log",
      summary: "List the entries of the audit log",
      description:
        "The newest come first. Several filters together select the entries that match all of them.",
      responses: { 200: page(auditEntry) },
    },
    handle: async ({ principal, query }: ApiRequest<undefined, z.output<typeof auditQuery>>) => {
      const rows = await listAuditLog(tenantOf(db, principal.tenantId), query);
      return listed(cursorPage(rows, query.limit, { shown: ({ shown }) => shown }));
    },
  });

export const auditLogRoutes = [list];
