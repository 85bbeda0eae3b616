// Signed links to media: the only requests that reach a service without a credential (interface §5). The content service checks
// the signature. Here they are limited by the client's address, and by the tenant's state and modules.
import type { IncomingMessage } from "node:http";
import { type AcquireSlot, isUuid, notFound, principalNamed, type RequestContext } from "@tradepost/http";
import { limitKeyOf, type ReadClient } from "../client.ts";
import type { FindMediaTenant } from "../identity/identity.ts";
import { ONE } from "../limits/limits.ts";
import { type ChargeRequest, costAfterwards } from "./request-limit.ts";

const PATH = /^\/v1\/media\/[^/?]+\/links\/file(?:\?|$)/;

/** A viewer without a tenant or modules. */
export const LINK_READER = principalNamed("a media link");

/** A credential is ignored. */
export function isForMediaLink({ method = "", url = "" }: IncomingMessage): boolean {
  return (method === "GET" || method === "HEAD") && PATH.test(url);
}

/** Resolves with the tenant of the link, not verified yet; throws 429 or 404. */
export type AdmitMediaLink = (context: RequestContext) => Promise<string>;

export function admitMediaLink(options: {
  readClient: ReadClient;
  findMediaTenant: FindMediaTenant;
  charge: ChargeRequest;
  takeShare: AcquireSlot;
}): AdmitMediaLink {
  const { readClient, findMediaTenant, charge, takeShare } = options;
  return async (context) => {
    const { req, atEnd } = context;
    const address = limitKeyOf(readClient(req));
    const tenantId = new URLSearchParams(req.url?.split("?", 2)[1]).get("tenant") ?? "";
    const reader = {
      ...LINK_READER,
      tenantId: isUuid(tenantId) ? `links ${tenantId}` : null,
      actor: { ...LINK_READER.actor, id: `address ${address}` },
    };
    await charge(reader, context, ONE);
    atEnd((responseBytes) => {
      const more = costAfterwards({ responseBytes });
      if (more.cost > 0) void charge(reader, { responseHeaders: {} }, more);
    });
    atEnd(await takeShare(address, req.socket));
    // The service refuses the link.
    if (!isUuid(tenantId)) return LINK_READER.tenantId;
    if ((await findMediaTenant(tenantId)) === null) throw notFound("media link");
    return tenantId;
  };
}
