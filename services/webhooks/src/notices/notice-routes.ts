// The routes of notices (interface §17).
import {
  cursorPage,
  data,
  isUuid,
  listed,
  ok,
  page,
  pageQuery,
  required,
  route,
  shaped,
} from "@tradepost/http";
import { recording } from "@tradepost/idempotency";
import { z } from "zod";
import { sightOf } from "../offered-types.ts";
import { READ, type RouteContext } from "../route-context.ts";
import { acknowledgeNotice, listNotices } from "./list-notices.ts";
import { notice, noticeKind, shownNotice } from "./notice.ts";

export const tag = "Notices";

const noticesQuery = z.strictObject({
  ...pageQuery,
  open: z
    .enum(["true", "false"], "must be true or false")
    .transform((text) => text === "true")
    .optional()
    .describe("Only open or only closed notices."),
  kind: noticeKind.optional().describe("Only notices of this kind."),
  subscriptionId: shaped(
    z
      .string()
      .refine(isUuid, "must be a UUID")
      .transform((id) => id.toLowerCase()),
    z.uuid(),
  )
    .optional()
    .describe("Only notices about this subscription."),
});

const list = ({ tenants }: RouteContext) =>
  route("GET /v1/notices", {
    ...READ,
    query: noticesQuery,
    about: {
      ...{ id: "listNotices", tag, summary: "List notices, the latest first" },
      description:
        "A notice says what needs somebody's care: an endpoint that fails, deliveries that failed for good, what waits too long. There is one for each episode; it is closed when the episode is over.",
      responses: { 200: page(notice) },
    },
    handle: async ({ principal, query }) => {
      const notices = await listNotices(tenants.of(principal.tenantId), query, sightOf(principal));
      return listed(cursorPage(notices, query.limit, { shown: shownNotice }));
    },
  });

const acknowledge = ({ writers }: RouteContext) =>
  route("POST /v1/notices/:id/acknowledge", {
    module: null,
    role: "editor",
    scope: null,
    usersOnly: true,
    isIdempotent: true,
    about: {
      ...{ id: "acknowledgeNotice", tag, summary: "Acknowledge a notice" },
      description: "Tells the others that somebody cares. Again, or for a closed notice, it changes nothing.",
      responses: { 200: data(notice) },
    },
    handle: recording({ tenants: writers }, async (tx, request) => {
      const acknowledged = await acknowledgeNotice(tx, request.id, request.principal.actor);
      return ok(shownNotice(required(acknowledged, "notice")));
    }),
  });

export const noticeRoutes = [list, acknowledge];
