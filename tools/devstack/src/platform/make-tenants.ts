// Tenants for a stack that measures or breaks things: each with an API key, a customer and, where it is wanted, a
// subscription. Made as customers are: through the gateway, but for the tenant itself, which an operator makes.
import { createTenant, type Tables } from "@tradepost/gateway/operate";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { apiClient, bearer, type ClientResponse } from "@tradepost/testing";

export interface Tenant {
  readonly tenantId: string;
  readonly apiKey: string;
  /** Of its owner, who may do everything; holds as long as a dashboard token does. */
  readonly ownerToken: string;
  readonly customerId: string;
  /** Of its subscription; empty where it has none. */
  readonly signingSecret: string;
}

export interface WantedTenant {
  readonly slug: string;
  readonly subscription?: { readonly url: string; readonly events: readonly string[] };
  /** Of its API key; by default all but bulk calls. */
  readonly scopes?: readonly string[];
}

const SCOPES = ["read:crm", "write:crm", "read:content", "write:content"];

/** In: the gateway, its database, and who is wanted. Out: them, in the same order. Rejects with what was refused. */
export async function makeTenants(
  gatewayUrl: string,
  gatewayDatabaseUrl: string,
  wanted: readonly WantedTenant[],
): Promise<Tenant[]> {
  const logger = createLogger("tenants", "silent");
  const postgres = connectPostgres<Tables>({
    url: gatewayDatabaseUrl,
    name: "tenants",
    connectionsMax: 1,
    logger,
  });
  try {
    const tenants: Tenant[] = [];
    for (const one of wanted) {
      const { tenantId, owner } = await createTenant(postgres.db, {
        slug: one.slug,
        name: one.slug,
        ownerEmail: `owner@${one.slug}.example`,
        modules: ["crm", "content"],
      });
      tenants.push({ tenantId, ...(await equip(gatewayUrl, owner, one)) });
    }
    return tenants;
  } finally {
    await postgres.stop();
  }
}

async function equip(
  gatewayUrl: string,
  { email, password }: { email: string; password: string },
  { slug, subscription, scopes = SCOPES }: WantedTenant,
) {
  const login = accepted(await apiClient(gatewayUrl).post("/v1/auth/login", { email, password }));
  const as = apiClient(gatewayUrl, bearer(login.token));
  const key = accepted(await as.post("/v1/api-keys", { label: slug, scopes }));
  const customer = accepted(await as.post("/v1/customers", { name: slug }));
  const signingSecret =
    subscription === undefined
      ? ""
      : accepted(await as.post("/v1/webhooks/subscriptions", { name: slug, ...subscription })).signingSecret;
  return {
    apiKey: key.key as string,
    ownerToken: login.token as string,
    customerId: customer.id as string,
    signingSecret: signingSecret as string,
  };
}

function accepted({ status, body, text }: ClientResponse) {
  if (status >= 300) throw new Error(`refused with ${status}: ${text}`);
  return body.data;
}
