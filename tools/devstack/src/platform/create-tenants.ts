// Creates tenants for chaos and the bench: the tenant as an operator does, everything else over the API.
import { createTenant, type Tables } from "@tradepost/gateway/operate";
import { connectPostgres, type Postgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { apiClient, bearer, type ClientResponse, cheapHash } from "@tradepost/testing";

export interface TenantCredentials extends Awaited<ReturnType<typeof setUpTenant>> {
  readonly tenantId: string;
}

export interface NewTenant {
  readonly slug: string;
  readonly subscription?: { readonly url: string; readonly events: readonly string[] };
  /** By default all except `write:crm_bulk`. */
  readonly scopes?: readonly string[];
  /** By default the slug. */
  readonly keyLabel?: string;
  readonly customer?: { readonly name: string; readonly email?: string };
}

const SCOPES = ["read:crm", "write:crm", "read:content", "write:content"];

export async function createTenants(
  gatewayUrl: string,
  gatewayDatabaseUrl: string,
  newTenants: readonly NewTenant[],
): Promise<TenantCredentials[]> {
  return await withGateway(gatewayDatabaseUrl, async (db) => {
    const tenants: TenantCredentials[] = [];
    for (const newTenant of newTenants) {
      const { slug } = newTenant;
      const { tenantId, owner } = await createTenant(
        db,
        { slug, name: slug, ownerEmail: `owner@${slug}.example`, modules: ["crm", "content"] },
        cheapHash,
      );
      tenants.push({ tenantId, ...(await setUpTenant(gatewayUrl, owner, newTenant)) });
    }
    return tenants;
  });
}

/** Does `work` in the gateway's database. */
export async function withGateway<Result>(
  url: string,
  work: (db: Postgres<Tables>["db"]) => Promise<Result>,
): Promise<Result> {
  const logger = createLogger("start", "silent");
  const { db, stop } = connectPostgres<Tables>({ url, name: "start", connectionsMax: 1, logger });
  return await work(db).finally(stop);
}

/** Makes everything but the tenant itself, over the API, as its owner. */
export async function setUpTenant(
  gatewayUrl: string,
  { email, password }: { email: string; password: string },
  { slug, subscription, scopes = SCOPES, keyLabel = slug, customer: given = { name: slug } }: NewTenant,
) {
  const login = dataOf(await apiClient(gatewayUrl).post("/v1/auth/login", { email, password }));
  const owner = apiClient(gatewayUrl, bearer(login.token));
  const key = dataOf(await owner.post("/v1/api-keys", { label: keyLabel, scopes }));
  const customer = dataOf(await owner.post("/v1/customers", given));
  const signingSecret =
    subscription === undefined
      ? ""
      : dataOf(await owner.post("/v1/webhooks/subscriptions", { name: slug, ...subscription })).signingSecret;
  return {
    apiKey: key.key as string,
    /** The owner's dashboard token, which expires. */
    ownerToken: login.token as string,
    customerId: customer.id as string,
    /** Empty without a subscription. */
    signingSecret: signingSecret as string,
  };
}

function dataOf({ status, body, text }: ClientResponse) {
  if (status >= 300) throw new Error(`refused with ${status}: ${text}`);
  return body.data;
}
