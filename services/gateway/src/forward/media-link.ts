// Signed links to media: the only requests that reach a service without a credential (interface §5). The content service
// checks the link's signature. Here they are limited by the client's address, so that they delay no tenant's requests, and
// refused if the tenant is suspended or has deactivated the module.
import type { IncomingMessage } from "node:http";
import { type AcquireSlot, isUuid, notFound, type Principal, type RequestContext } from "@tradepost/http";
import type { Pool } from "pg";
import { batchLookup } from "../batch-lookup.ts";
import { clientOf, limitKeyOf } from "../client/client.ts";
import { type ChargeRequest, ONE_REQUEST } from "../rate-limit/request-limit.ts";

const PATH = /^\/v1\/media\/[^/?]+\/links\/file(?:\?|$)/;

/** The signed caller of a link: a viewer of no tenant, without modules. */
export const NOBODY: Principal = {
  tenantId: "00000000-0000-0000-0000-000000000000",
  role: "viewer",
  actor: { type: "user", id: "00000000-0000-0000-0000-000000000000", name: "a media link" },
  scopes: [],
  modules: [],
};

/** Whether a request is for a link. It then needs no credential, and one that it has is not read. */
export function isForMediaLink({ method = "", url = "" }: IncomingMessage): boolean {
  return (method === "GET" || method === "HEAD") && PATH.test(url);
}

/** Admits the request. Resolves with the tenant that the link names, which is not verified yet; throws 429 or 404. */
export type AdmitMediaLink = (context: RequestContext) => Promise<string>;

export function admitMediaLink(options: {
  pool: Pool;
  proxyHops: number;
  /** Warns about a proxy that `proxyHops` does not count: all its clients would share one address. */
  checkProxyHeader: (req: IncomingMessage) => void;
  charge: ChargeRequest;
  /** A share of the requests in progress, by address. */
  takeShare: AcquireSlot;
}): AdmitMediaLink {
  const { pool, proxyHops, checkProxyHeader, charge, takeShare } = options;
  const findTenant = batchLookup(async (tenantIds) => {
    const { rows } = await pool.query<{ id: string }>({ text: FIND_SERVED, values: [tenantIds] });
    return new Map(rows.map((row) => [row.id, row]));
  });
  return async (context) => {
    const { req, atEnd } = context;
    checkProxyHeader(req);
    const address = limitKeyOf(clientOf(req, proxyHops));
    const reader = { ...NOBODY, tenantId: null, actor: { ...NOBODY.actor, id: `address ${address}` } };
    await charge(reader, context, ONE_REQUEST);
    atEnd(await takeShare(address, req.socket));
    const tenantId = new URLSearchParams(req.url?.split("?", 2)[1]).get("tenant") ?? "";
    // The service responds to a link without a tenant.
    if (!isUuid(tenantId)) return NOBODY.tenantId;
    if ((await findTenant(tenantId)) === null) throw notFound("media link");
    return tenantId;
  };
}

const FIND_SERVED = `
  select id from tenants
   where id = any($1::uuid[]) and suspended_at is null
     and exists (select from tenant_modules m where m.tenant_id = tenants.id and m.name = 'content' and m.active)`;
