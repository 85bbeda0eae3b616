// The routes that create, read and delete listeners (interface §12).
import { subscribableType } from "@tradepost/event-catalog";
import {
  type ApiRequest,
  created,
  cursorPage,
  data,
  listed,
  ok,
  page,
  pageOnly,
  required,
  route,
} from "@tradepost/http";
import { recording } from "@tradepost/idempotency";
import { newId } from "@tradepost/runtime";
import { z } from "zod";
import type { Sealing } from "../endpoint/endpoint.ts";
import { permitTypes, sightOf } from "../offered-types.ts";
import { EDIT, READ, type RouteContext } from "../route-context.ts";
import { deleted, type Reconciliations } from "../subscriptions/subscriptions.ts";
import { type ListenerInput, listenerInput } from "./listener-input.ts";
import {
  deleteListener,
  findListener,
  insertListener,
  listListeners,
  requireSight,
} from "./listener-store.ts";

interface ListenerContext extends RouteContext {
  readonly sealing: Sealing;
  readonly reconciliations: Pick<Reconciliations, "run">;
}

const tag = "Listeners";

const listenerFields = {
  id: z.uuid(),
  name: z.string(),
  events: z.array(subscribableType),
  active: z.boolean().describe("False once it has expired, until the next lease."),
  expiresInHours: z.int().describe("How long it lives without a lease."),
  expiresAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
};

const newListener = z
  .strictObject({
    ...listenerFields,
    signingSecret: z.string().nullable().describe("Null in a repeated response."),
  })
  .meta({ id: "NewListener" });

const create = ({ writers, more, sealing, onCommit }: ListenerContext) =>
  route("POST /v1/webhooks/listeners", {
    ...EDIT,
    isIdempotent: true,
    body: listenerInput(more),
    about: {
      ...{ id: "createListener", tag, summary: "Create a listener" },
      description: "Only this response shows the signing secret.",
      responses: { 201: data(newListener) },
      location: true,
      errors: ["listener_limit"],
    },
    handle: recording(
      { tenants: writers, onCommit },
      async (tx, request: ApiRequest<ListenerInput, undefined>) => {
        permitTypes(request.principal, request.body.events);
        const id = newId();
        const { secret, ...made } = sealing.newSecret(tx.tenantId, id);
        const inserted = await insertListener(tx, { id, ...made }, request.body, request);
        const responseWith = (signingSecret: string | null) =>
          created({ ...inserted, signingSecret }, `/v1/webhooks/listeners/${id}`, {
            "cache-control": "no-store",
          });
        return { response: responseWith(secret), repeated: responseWith(null) };
      },
    ),
  });

const count = z.int().min(0).max(10_000);

const listener = z
  .strictObject({
    ...listenerFields,
    signingSecretPreview: z.string().describe("The first 8 characters of the signing secret."),
    waiting: z
      .strictObject({ pending: count, retrying: count, leased: count, paused: count })
      .describe("Its open deliveries, each counted once, of the newest 10,000."),
  })
  .meta({ id: "Listener", description: "A subscription without a URL, whose deliveries are leased." });

const list = ({ tenants }: ListenerContext) =>
  route("GET /v1/webhooks/listeners", {
    ...READ,
    query: pageOnly,
    about: {
      ...{ id: "listListeners", tag, summary: "List listeners, newest first" },
      responses: { 200: page(listener) },
    },
    handle: async ({ principal, query }) => {
      const found = await listListeners(tenants.of(principal.tenantId), query, sightOf(principal));
      return listed(cursorPage(found, query.limit));
    },
  });

const read = ({ tenants }: ListenerContext) =>
  route("GET /v1/webhooks/listeners/:id", {
    ...READ,
    about: { ...{ id: "getListener", tag, summary: "Get a listener" }, responses: { 200: data(listener) } },
    handle: async ({ principal, id }) =>
      ok(required(await findListener(tenants.of(principal.tenantId), id, sightOf(principal)), "listener")),
  });

const remove = ({ tenants, writers, onCommit, reconciliations }: ListenerContext) =>
  route("DELETE /v1/webhooks/listeners/:id", {
    ...EDIT,
    module: null,
    about: {
      ...{ id: "deleteListener", tag, summary: "Delete a listener" },
      description: "Its open deliveries are cancelled; their log remains.",
      responses: { 200: data(deleted) },
    },
    handle: async (request) => {
      const { id, principal } = request;
      await requireSight(tenants.of(principal.tenantId), id, principal);
      await writers.of(principal.tenantId).transaction((tx) => deleteListener(tx, id, request));
      onCommit();
      await reconciliations.run({ tenantId: principal.tenantId, subscriptionId: id });
      return ok({ id, deleted: true });
    },
  });

export const listenerRoutes = [create, list, read, remove];
