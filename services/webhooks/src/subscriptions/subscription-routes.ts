// The routes that create, read, change and delete subscriptions (interface §7).
import {
  type ApiRequest,
  created,
  cursorPage,
  data,
  etagOf,
  listed,
  notFound,
  ok,
  page,
  route,
} from "@tradepost/http";
import { insertRecord, recording, withIdempotencyKey, withSignedFingerprint } from "@tradepost/idempotency";
import { newId } from "@tradepost/runtime";
import type { AddressGuard, Sealing } from "../endpoint/endpoint.ts";
import { permitTypes, sightOf } from "../offered-types.ts";
import { ADMIN, conditionsOf, READ, type RouteContext } from "../route-context.ts";
import { type FilterPreviewInput, filterPreviewInput, previewed, previewFilter } from "./filter-preview.ts";
import type { Reconciliations } from "./reconciliations.ts";
import { changeSubscription, deleteSubscription } from "./subscription-changes.ts";
import { type SubscriptionInput, subscriptionInputs, subscriptionsQuery } from "./subscription-input.ts";
import { deleted, subscription, tag, withSecret } from "./subscription-schema.ts";
import { findSubscription, insertSubscription, listSubscriptions } from "./subscription-store.ts";

interface SubscriptionContext extends RouteContext {
  readonly sealing: Sealing;
  readonly guard: AddressGuard;
  readonly reconciliations: Pick<Reconciliations, "run">;
}

const create = (context: SubscriptionContext) =>
  route("POST /v1/webhooks/subscriptions", {
    ...ADMIN,
    isIdempotent: true,
    keepsTextOf: ["headers"],
    body: subscriptionInputs(context).create,
    about: {
      ...{ id: "createSubscription", tag, summary: "Create a subscription" },
      description: "Only this response has the signing secret. A tenant has at most 50 subscriptions.",
      responses: { 201: data(withSecret) },
      location: true,
      errors: ["module_disabled", "subscription_limit"],
      etag: true,
    },
    handle: createSubscription(context),
  });

const list = ({ tenants }: SubscriptionContext) =>
  route("GET /v1/webhooks/subscriptions", {
    ...READ,
    query: subscriptionsQuery,
    about: {
      ...{ id: "listSubscriptions", tag, summary: "List subscriptions, newest first" },
      responses: { 200: page(subscription) },
    },
    handle: async ({ principal, query }) => {
      const found = await listSubscriptions(tenants.of(principal.tenantId), query, sightOf(principal));
      return listed(cursorPage(found, query.limit));
    },
  });

const read = ({ tenants }: SubscriptionContext) =>
  route("GET /v1/webhooks/subscriptions/:id", {
    ...READ,
    about: {
      ...{ id: "getSubscription", tag, summary: "Get a subscription" },
      description: "`If-None-Match` is ignored, because `health` changes without the version.",
      responses: { 200: data(subscription) },
      etag: true,
      ignoresIfNoneMatch: true,
    },
    handle: async ({ principal, id }) => {
      const found = await findSubscription(tenants.of(principal.tenantId), id, sightOf(principal));
      if (found === null) throw notFound("subscription");
      return ok(found, { etag: etagOf(found.version) });
    },
  });

const update = (context: SubscriptionContext) => {
  const { tenants, writers, onCommit, reconciliations } = context;
  return route("PATCH /v1/webhooks/subscriptions/:id", {
    ...ADMIN,
    keepsTextOf: ["headers"],
    mergeLevels: 1,
    body: subscriptionInputs(context).change,
    about: {
      ...{ id: "updateSubscription", tag, summary: "Change, pause or resume a subscription" },
      description:
        "`active: false` pauses it: nothing is sent, and open and new deliveries are kept. `active: true` sends them, oldest first. `filter` replaces the whole filter, for events from now on; null removes it. `headers` replaces the whole set; a value of `•••` keeps the value that the header has, and null removes all. A JSON merge patch changes the members of both that it names. If `url` changes its scheme, host or port, the values must be sent again, or it is 422.",
      errors: ["module_disabled"],
      responses: { 200: data(subscription) },
      etag: true,
      ifMatch: true,
    },
    handle: async (request) => {
      const { id, bodyFor, principal } = request;
      const changeOf = (stored: object) => {
        const change = bodyFor(stored);
        permitTypes(principal, change.events);
        return change;
      };
      const changed = await writers
        .of(principal.tenantId)
        .transaction((tx) => changeSubscription(tx, id, changeOf, context, conditionsOf(request)));
      if (changed === null) throw notFound("subscription");
      onCommit();
      const headers = { etag: etagOf(changed.version) };
      if (bodyFor(changed).active === undefined) return ok(changed, headers);
      await reconciliations.run({ tenantId: principal.tenantId, subscriptionId: id });
      const after = await findSubscription(tenants.of(principal.tenantId), id);
      return ok({ ...changed, health: after?.health ?? changed.health }, headers);
    },
  });
};

const remove = ({ writers, onCommit, reconciliations }: SubscriptionContext) =>
  route("DELETE /v1/webhooks/subscriptions/:id", {
    ...ADMIN,
    about: {
      ...{ id: "deleteSubscription", tag, summary: "Delete a subscription" },
      description: "Its open deliveries are cancelled; their log stays.",
      responses: { 200: data(deleted) },
      ifMatch: true,
    },
    handle: async (request) => {
      const { id, principal } = request;
      const wasDeleted = await writers
        .of(principal.tenantId)
        .transaction((tx) => deleteSubscription(tx, id, conditionsOf(request)));
      if (!wasDeleted) throw notFound("subscription");
      onCommit();
      await reconciliations.run({ tenantId: principal.tenantId, subscriptionId: id });
      return ok({ id, deleted: true });
    },
  });

const filterPreview = ({ writers, more, readPastEvents }: SubscriptionContext) =>
  route("POST /v1/webhooks/subscriptions/filter-preview", {
    ...READ,
    isIdempotent: true,
    body: filterPreviewInput(more),
    isHeavy: true,
    about: {
      ...{ id: "previewFilter", tag, summary: "Try a filter on past events" },
      description: "Examines the newest 1,000 events. Those of other types than `events` do not match.",
      responses: { 200: data(previewed) },
    },
    handle: withIdempotencyKey(
      writers,
      async (tenant, request: ApiRequest<FilterPreviewInput, undefined>) => {
        permitTypes(request.principal, request.body.events);
        return await readPastEvents(tenant, request, async (tx) => {
          const response = ok(await previewFilter(tx, request.body, sightOf(request.principal)));
          await insertRecord(tx, request.idempotencyKey, response);
          return response;
        });
      },
    ),
  });

export const subscriptionRoutes = [create, list, read, update, remove, filterPreview];

/** The fingerprint is signed, because the body may have secrets. */
function createSubscription({ writers, sealing, onCommit }: SubscriptionContext) {
  const create = recording(
    { tenants: writers, onCommit },
    async (tx, request: ApiRequest<SubscriptionInput, undefined>) => {
      permitTypes(request.principal, request.body.events);
      const id = newId();
      const { secret, ...made } = sealing.newSecret(tx.tenantId, id);
      const stored = await insertSubscription(tx, { id, ...made }, request.body, sealing, request);
      const { signingSecretPreview: _, ...inserted } = stored;
      const responseWith = (signingSecret: string | null) =>
        created({ ...inserted, signingSecret }, `/v1/webhooks/subscriptions/${id}`, {
          "cache-control": "no-store",
          etag: etagOf(inserted.version),
        });
      return { response: responseWith(secret), repeated: responseWith(null) };
    },
  );
  return withSignedFingerprint(create, (fingerprint) =>
    sealing.sign(Buffer.concat([Buffer.from("idempotency\n"), fingerprint])),
  );
}
