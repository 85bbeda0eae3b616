// The route of the request log (interface §19).
import {
  data,
  isRequestId,
  isUuid,
  listed,
  notFound,
  ok,
  page,
  pageQuery,
  route,
  searchedPage,
  shaped,
  storableTime,
} from "@tradepost/http";
import { allOf, searchStatement, tenantOf } from "@tradepost/postgres";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { ADMIN } from "../requirements.ts";
import type { Tables, Tenant } from "../tables.ts";

export interface RequestLogContext {
  readonly db: Kysely<Tables>;
}

const requestsQuery = z.strictObject({
  ...pageQuery,
  keyId: z
    .union([z.uuid(), z.string().regex(/^[0-9A-Za-z]{12}$/)], "must be the id or the keyId of an API key")
    .optional()
    .describe("Only requests of this API key, by its `id` or its `keyId`."),
  userId: z.uuid("must be a UUID").optional().describe("Only requests of this user."),
  actorType: z
    .enum(["api_key", "user"], "must be api_key or user")
    .optional()
    .describe("Only requests of programs, or only of people."),
  status: shaped(
    z
      .string()
      .regex(/^[1-5]\d\d$/, "must be an HTTP status code")
      .transform(Number),
    z.int().min(100).max(599),
  )
    .optional()
    .describe("Only requests with this status."),
  route: z.string().max(200).optional().describe("Only requests of this route, such as `/v1/orders/:id`."),
  after: storableTime.optional().describe("Inclusive."),
  before: storableTime.optional().describe("Exclusive."),
});

type RequestsQuery = z.output<typeof requestsQuery>;

const request = z
  .strictObject({
    id: z.string().describe("The `X-Request-Id`, which the caller may have chosen."),
    at: z.iso.datetime(),
    method: z.string(),
    route: z.string().describe("The pattern of the path."),
    status: z.int(),
    code: z.string().nullable().describe("The code of the error; null for a success."),
    actor: z.strictObject({ type: z.enum(["api_key", "user"]), id: z.string(), name: z.string() }),
    ip: z.string().nullable().describe("Of an API key's request; null for a user's."),
    durationMs: z.int().nonnegative(),
    requestBytes: z.int().nonnegative(),
    responseBytes: z.int().nonnegative().describe("Of the body, before compression."),
    message: z.string().nullable().describe("Of the error; null for a success."),
    paths: z.array(z.string()).describe("The fields at fault, without their values."),
    caused: z
      .strictObject({ events: z.array(z.uuid()).describe("At most 100.") })
      .describe("The ids of the events that the request added."),
  })
  .meta({ id: "LoggedRequest", description: "A request, without its body." });

interface Row {
  readonly id: string;
  readonly created_at: Date;
  readonly request_id: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string | null;
  readonly actor_type: string;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly ip: string | null;
  readonly duration_ms: number;
  readonly request_bytes: string;
  readonly response_bytes: string;
  readonly outcome: { message?: string; paths?: string[]; caused?: string[] } | null;
}

const list = ({ db }: RequestLogContext) =>
  route("GET /v1/requests", {
    ...ADMIN,
    query: requestsQuery,
    about: {
      id: "listRequests",
      tag: "Audit log",
      summary: "List the requests of the last 7 days, newest first",
      description:
        "Written within seconds. A request searches at most 10,000 requests for `keyId`, `userId`, `actorType`, `status` and `route`: a page may have fewer than `limit`, even none, while `nextCursor` is not null.",
      responses: { 200: page(request) },
    },
    handle: async ({ principal, query }) => {
      const { rows } = await pageStatement(tenantOf(db, principal.tenantId), query).execute(db);
      return listed(searchedPage(rows, query, (row: Row) => ({ ...row, createdAt: row.created_at }), shown));
    },
  });

function pageStatement({ tenantId }: Tenant, query: RequestsQuery) {
  const { keyId, userId, actorType, status, route, after, before, cursor, limit } = query;
  const indexed: RawBuilder<unknown>[] = [
    sql`tenant_id = ${tenantId}`,
    ...(after === undefined ? [] : [sql`created_at >= ${after}`]),
    ...(before === undefined ? [] : [sql`created_at < ${before}`]),
    ...(cursor === null ? [] : [sql`(created_at, id) < (${cursor.createdAt}, ${cursor.id})`]),
  ];
  return searchStatement<Row>({
    columns: sql`requests.*`,
    from: sql`from requests where ${allOf(indexed)}`,
    order: sql`order by created_at desc, id desc`,
    conditions: [
      ...(keyId === undefined ? [] : [sql`actor_type = 'api_key' and ${isKey(tenantId, keyId)}`]),
      ...(userId === undefined ? [] : [sql`actor_type = 'user' and actor_id = ${userId}`]),
      ...(actorType === undefined ? [] : [sql`actor_type = ${actorType}`]),
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(route === undefined ? [] : [sql`route = ${route}`]),
    ],
    limit,
  });
}

function isKey(tenantId: string, keyId: string): RawBuilder<unknown> {
  return sql`actor_id in (${keyId}, (select id::text from api_keys where tenant_id = ${tenantId} and key_id = ${keyId}))`;
}

function shown(row: Row) {
  const { message = null, paths = [], caused = [] } = row.outcome ?? {};
  return {
    id: row.request_id,
    at: row.created_at,
    method: row.method,
    route: row.route,
    status: row.status,
    code: row.code,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    ip: row.ip,
    durationMs: row.duration_ms,
    requestBytes: Number(row.request_bytes),
    responseBytes: Number(row.response_bytes),
    ...{ message, paths, caused: { events: caused } },
  };
}

// A request whose id the caller chose may be anywhere in the seven days. Reading this many takes about 100 ms.
const SEARCHED_MAX = 100_000;

const show = ({ db }: RequestLogContext) =>
  route("GET /v1/requests/:requestId", {
    ...ADMIN,
    about: {
      id: "getRequest",
      tag: "Audit log",
      summary: "Get a request of the last 7 days by its `X-Request-Id`",
      description: `The latest of several with one id. An id that the caller chose is found among the tenant's newest ${SEARCHED_MAX} requests.`,
      responses: { 200: data(request) },
    },
    handle: async ({ principal: { tenantId }, params: { requestId = "" } }) => {
      if (!isRequestId(requestId)) throw notFound("request");
      const { rows } = await sql<Row>`
        select * from (select * from requests
                        where tenant_id = ${tenantId} ${madeNear(requestId)}
                        order by created_at desc, id desc limit ${SEARCHED_MAX}) as newest
         where request_id = ${requestId} order by created_at desc, id desc limit 1`.execute(db);
      const [row] = rows;
      if (row === undefined) throw notFound("request");
      return ok(shown(row));
    },
  });

const NEAR_MS = 60 * 60 * 1_000;

/** An id made by the gateway contains the time, which is shortly after the start of its request. */
function madeNear(requestId: string): RawBuilder<unknown> {
  if (!isUuid(requestId) || requestId[14] !== "7") return sql``;
  const madeAt = Number.parseInt(requestId.replace("-", "").slice(0, 12), 16);
  return sql`and created_at between ${new Date(madeAt - NEAR_MS)} and ${new Date(madeAt + NEAR_MS)}`;
}

export const requestLogRoutes = [list, show];
