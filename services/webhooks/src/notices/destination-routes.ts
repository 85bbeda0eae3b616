// The routes of the destination of a tenant's notices (interface §17).
import { data, ok, required, route } from "@tradepost/http";
import { z } from "zod";
import type { AddressGuard, Sealing } from "../endpoint/endpoint.ts";
import { ADMIN, type RouteContext } from "../route-context.ts";
import {
  deleteDestination,
  destination,
  destinationInput,
  findDestination,
  putDestination,
  requireConfirmed,
} from "./destination-store.ts";
import { tag } from "./notice-routes.ts";

interface DestinationContext extends RouteContext {
  readonly sealing: Sealing;
  readonly guard: AddressGuard;
  readonly canMail: boolean;
}

const readDestination = ({ writers }: DestinationContext) =>
  route("GET /v1/notices/destination", {
    ...ADMIN,
    about: {
      ...{ id: "getNoticeDestination", tag, summary: "Get where notices are sent" },
      responses: { 200: data(destination) },
      errors: ["not_found"],
    },
    handle: async ({ principal }) =>
      ok(required(await findDestination(writers.of(principal.tenantId)), "destination")),
  });

const replaceDestination = (context: DestinationContext) =>
  route("PUT /v1/notices/destination", {
    ...ADMIN,
    body: destinationInput(context.guard, context.canMail),
    about: {
      ...{ id: "putNoticeDestination", tag, summary: "Set where notices are sent" },
      description:
        "Replaces the whole. A notice that opens or closes is posted to `url`, signed like a webhook, with `X-service-Event: notice.opened` or `notice.closed`; what opens is mailed to `emails`, which active users of the tenant must have confirmed. `signingSecret` is in the response the first time, and with `rotate: true`.",
      responses: { 200: data(destination) },
    },
    handle: async (request) => {
      requireConfirmed(request.body.emails ?? [], request.principal.confirmedEmails ?? []);
      const stored = await context.writers
        .of(request.principal.tenantId)
        .transaction((tx) => putDestination(tx, request.body, context.sealing, request));
      context.onCommit();
      return ok(stored);
    },
  });

const removeDestination = ({ writers, onCommit }: DestinationContext) =>
  route("DELETE /v1/notices/destination", {
    ...ADMIN,
    about: {
      ...{ id: "deleteNoticeDestination", tag, summary: "Send notices nowhere" },
      responses: { 200: data(z.strictObject({ deleted: z.literal(true) })) },
      errors: ["not_found"],
    },
    handle: async (request) => {
      await writers.of(request.principal.tenantId).transaction((tx) => deleteDestination(tx, request));
      onCommit();
      return ok({ deleted: true });
    },
  });

export const destinationRoutes = [readDestination, replaceDestination, removeDestination];
