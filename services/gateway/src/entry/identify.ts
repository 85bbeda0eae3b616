import type { IncomingMessage } from "node:http";
import { ApiError, type Identify, type Principal, type RequestContext } from "@tradepost/http";
import type { ReadClient } from "../client.ts";
import { operatedTenants } from "../identity/identity.ts";
import { ONE } from "../limits/limits.ts";
import type { Authenticate, Caller } from "./authenticate.ts";
import { isUpload } from "./request-body.ts";
import { type ChargeRequest, costAfterwards } from "./request-limit.ts";
import type { EnterTenant } from "./shares.ts";
import { isLongPoll, upstreamOf } from "./upstreams.ts";

interface AdmissionOptions {
  readonly authenticate: Authenticate;
  readonly readClient: ReadClient;
  readonly charge: ChargeRequest;
  readonly enterTenant: EnterTenant;
}

/** Throws 401, 429, and 403 `address_not_allowed`, `tenant_suspended` or `second_factor_required` for a valid credential. */
export function identifyWith(options: AdmissionOptions): Identify {
  const { authenticate, readClient } = options;
  return async (context) => {
    const client = readClient(context.req);
    const { isSuspended, lacksSecondFactor, isElsewhere, ...known } = await authenticate(context.req, client);
    const principal = { ...known, client };
    context.principal = principal;
    // Before the limits, so that a thief cannot use them up.
    if (isElsewhere) throw new ApiError("address_not_allowed", "The key may not be used from this address.");
    await admit(options, principal, context).catch((error: unknown) => {
      // Even beyond a limit: the log has no requests of a suspended tenant.
      throw isSuspended ? operatedTenants.tenantSuspended() : error;
    });
    refuseBlocked({ isSuspended, lacksSecondFactor }, context.req);
    return principal;
  };
}

/** Charges nothing. */
export function checkAgainWith(authenticate: Authenticate) {
  return async ({ req }: Pick<RequestContext, "req">) => refuseBlocked(await authenticate(req), req);
}

function refuseBlocked(
  { isSuspended, lacksSecondFactor }: Pick<Caller, "isSuspended" | "lacksSecondFactor">,
  req: IncomingMessage,
): void {
  if (isSuspended) throw operatedTenants.tenantSuspended();
  if (!lacksSecondFactor || OPEN_WITHOUT_SECOND_FACTOR.has(`${req.method} ${pathOf(req)}`)) return;
  throw new ApiError(
    "second_factor_required",
    "Your shop requires a second factor: set one up with POST /v1/me/second-factor.",
  );
}

// A user needs these requests to set up a second factor.
const OPEN_WITHOUT_SECOND_FACTOR: ReadonlySet<string> = new Set([
  "GET /v1/me",
  "POST /v1/me/second-factor",
  "POST /v1/me/second-factor/confirm",
]);

function pathOf({ url = "" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "";
}

/** Charges for the response, and for a body of unannounced length, at the end. */
async function admit(
  { charge, enterTenant }: Pick<AdmissionOptions, "charge" | "enterTenant">,
  principal: Principal,
  context: Pick<RequestContext, "req" | "responseHeaders" | "atEnd" | "workMs">,
): Promise<void> {
  const { req } = context;
  const bytesReadBefore = req.socket.bytesRead;
  await charge(principal, context, ONE);
  context.atEnd((responseBytes) => {
    const unchargedBytes = isChargedByForwarder(req) ? 0 : req.socket.bytesRead - bytesReadBefore;
    const more = costAfterwards({ responseBytes, workMs: context.workMs, unchargedBytes });
    if (more.cost > 0) void charge(principal, { responseHeaders: {} }, more);
  });
  // A reader that waits for an event does not delay its tenant's other requests.
  if (!isLongPoll(req)) await enterTenant(principal.tenantId, context);
}

/** The forwarder knows the size before it sends a body, except for an upload without a length. */
function isChargedByForwarder(req: IncomingMessage): boolean {
  return upstreamOf(req) !== null && !(isUpload(req) && req.headers["content-length"] === undefined);
}
