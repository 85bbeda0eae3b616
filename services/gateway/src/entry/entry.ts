// The door of this wing: a request is authenticated and admitted (`identify`), then sent to the service that owns its path
// (`forward`). The gateway's own routes identify their callers in the same way.
import type { ReadClient } from "../client.ts";
import type { Settings } from "../config.ts";
import type { Credentials, FindConfirmedEmails, FindMediaTenant } from "../identity/identity.ts";
import type { Limits } from "../limits/limits.ts";
import { authenticate } from "./authenticate.ts";
import { confirmEmails } from "./confirm-emails.ts";
import { startForwarder } from "./forward.ts";
import { checkAgainWith, identifyWith } from "./identify.ts";
import { admitMediaLink } from "./media-link.ts";
import { requestLimit } from "./request-limit.ts";
import { linkShares, tenantConcurrency } from "./shares.ts";
import type { Signatures } from "./signatures.ts";

export { startAsking } from "./ask-service.ts";
export { pickHeaders } from "./exchange.ts";
export { type RequestSender, WAIT_MS_MAX } from "./forward.ts";

interface EntryOptions {
  readonly settings: Settings;
  readonly credentials: Credentials;
  readonly findMediaTenant: FindMediaTenant;
  readonly findConfirmedEmails: FindConfirmedEmails;
  readonly readClient: ReadClient;
  readonly limits: Limits;
  readonly signatures: Signatures;
}

export function startEntry(options: EntryOptions) {
  const { settings, credentials, findMediaTenant, findConfirmedEmails, readClient, limits, signatures } =
    options;
  const { countLimited } = limits;
  const charge = requestLimit(limits, settings);
  const enterTenant = tenantConcurrency(settings.TENANT_CONCURRENCY_MAX, countLimited);
  const authenticated = authenticate(credentials);
  const identify = identifyWith({ authenticate: authenticated, readClient, charge, enterTenant });
  const takeShare = linkShares(countLimited);
  const forwarder = startForwarder({
    settings,
    identify,
    checkCaller: checkAgainWith(authenticated),
    charge,
    confirmEmails: confirmEmails(findConfirmedEmails),
    admitMediaLink: admitMediaLink({ readClient, findMediaTenant, charge, takeShare }),
    countLimited,
    signatures,
  });
  return { identify, ...forwarder };
}
