// The routes of other users' sessions (interface §2).
import {
  type ApiRequest,
  cursorPage,
  data,
  listed,
  ok,
  type PageQuery,
  page,
  pageOnly,
  route,
} from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { recordAudit } from "../../audit-log/audit-log.ts";
import { NO_STORE } from "../responses.ts";
import { endUserSessions, listSessions } from "../sessions/session-store.ts";
import { findManagedUser } from "./staff.ts";
import { type StaffChangeContext, staffChange } from "./staff-refusals.ts";
import { endedSessions, userSession } from "./user-schema.ts";

const tag = "Users";
const ADMIN = { module: null, role: "admin", scope: null } as const;

const list = ({ db }: StaffChangeContext) =>
  route({
    method: "GET",
    path: "/v1/users/:id/sessions",
    ...ADMIN,
    query: pageOnly,
    about: {
      id: "listUserSessions",
      tag,
      summary: "List the open sessions of a staff user",
      description: "The newest come first. Only an owner may see the sessions of an owner.",
      responses: { 200: page(userSession) },
    },
    handle: async ({ principal, query, id }: ApiRequest<undefined, PageQuery>) => {
      const tenant = tenantOf(db, principal.tenantId);
      await findManagedUser(tenant, id, principal.role);
      const rows = await listSessions(tenant, id, query);
      return { ...listed(cursorPage(rows, query.limit)), headers: NO_STORE };
    },
  });

const end = (context: StaffChangeContext) =>
  route({
    method: "DELETE",
    path: "/v1/users/:id/sessions",
    ...ADMIN,
    about: {
      id: "endUserSessions",
      tag,
      summary: "End all sessions of a staff user",
      description:
        "Their tokens are refused from the next request on. Only an owner may end the sessions of an owner.",
      responses: { 200: data(endedSessions) },
    },
    handle: staffChange(context, async (request: ApiRequest<undefined, undefined>) => {
      const { principal, id } = request;
      return await tenantOf(context.db, principal.tenantId).transaction(async (tx) => {
        await findManagedUser(tx, id, principal.role);
        const endedCount = await endUserSessions(tx, id);
        if (endedCount > 0) {
          const entry = {
            action: "user.sessions_ended",
            target: { type: "user", id },
            changes: { endedCount },
          };
          await recordAudit(tx, entry, request);
        }
        return ok({ endedSessions: endedCount }, NO_STORE);
      });
    }),
  });

/** In the order of the API description. */
export const userSessionRoutes = [list, end];
