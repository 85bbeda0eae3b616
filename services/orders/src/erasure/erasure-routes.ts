// The routes of erasures (interface §20).
import { accepted, data, ok, required, route } from "@tradepost/http";
import { recording } from "@tradepost/idempotency";
import type { TenantDatabases } from "@tradepost/postgres";
import { READ } from "../route-parts.ts";
import type { Tables } from "../tables.ts";
import { beginErasure } from "./begin-erasure.ts";
import { erasure, findErasure } from "./erasure-store.ts";

export interface ErasureContext {
  readonly tenants: TenantDatabases<Tables>;
  readonly onErasure: () => void;
}

const tag = "Erasures";

const begin = ({ tenants, onErasure }: ErasureContext) =>
  route("POST /v1/customers/:id/erasure", {
    module: "crm",
    role: "admin",
    scope: null,
    usersOnly: true,
    isIdempotent: true,
    about: {
      id: "eraseCustomer",
      tag,
      summary: "Erase the personal data of a customer",
      description: `For good. The customer's name is replaced, and the e-mail address, phone, external id and metadata are removed; of all their orders the
addresses (but for the country), notes, metadata and reasons, also in timelines, change feeds and recorded responses. Amounts, lines,
references and dates stay. It runs in the background. Later changes of the customer, of texts of their orders, and new orders are 409
\`customer_erased\`. A second request responds with the first erasure.`,
      responses: { 202: data(erasure) },
      ifMatch: true,
    },
    handle: recording({ tenants, onCommit: onErasure }, async (tx, request) => {
      const begun = await beginErasure(tx, request.id, request.raw.headers["if-match"], request);
      return accepted(required(begun, "customer"));
    }),
  });

const read = ({ tenants }: ErasureContext) =>
  route("GET /v1/erasures/:id", {
    ...READ,
    about: {
      id: "getErasure",
      tag,
      summary: "Get the progress of an erasure",
      responses: { 200: data(erasure) },
    },
    handle: async ({ principal, id }) => {
      return ok(required(await findErasure(tenants.of(principal.tenantId), { id }), "erasure"));
    },
  });

export const erasureRoutes = [begin, read];
