// The tenants of a chaos run: each with an API key, a customer, and a subscription whose receiver is ours.
import { createTenant, type Tables } from "@tradepost/gateway/operate";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { type ApiResponse, apiClient, bearer } from "@tradepost/testing";

export interface Tenant {
  readonly tenantId: string;
  readonly apiKey: string;
  readonly customerId: string;
  readonly signingSecret: string;
}

const SCOPES = ["read:crm", "write:crm", "read:content", "write:content"];
const EVENTS = ["redirect.added", "redirect.removed"];

/** In: the gateway, its database, how many, and where their webhooks go. */
export async function makeTenants(
  gatewayUrl: string,
  gatewayDatabaseUrl: string,
  count: number,
  receiverUrl: string,
): Promise<Tenant[]> {
  const logger = createLogger("chaos", "silent");
  const postgres = connectPostgres<Tables>({
    url: gatewayDatabaseUrl,
    name: "chaos",
    connectionsMax: 1,
    logger,
  });
  try {
    const tenants: Tenant[] = [];
    for (let number = 1; number <= count; number += 1) {
      const slug = `chaos-${number}`;
      const { tenantId, owner } = await createTenant(postgres.db, {
        slug,
        name: `Chaos ${number}`,
        ownerEmail: `owner@${slug}.example`,
        modules: ["crm", "content"],
      });
      tenants.push({ tenantId, ...(await equip(gatewayUrl, owner, `${receiverUrl}/${slug}`)) });
    }
    return tenants;
  } finally {
    await postgres.stop();
  }
}

async function equip(gatewayUrl: string, owner: { email: string; password: string }, url: string) {
  const { email, password } = owner;
  const login = wanted(await apiClient(gatewayUrl).post("/v1/auth/login", { email, password }));
  const as = apiClient(gatewayUrl, bearer(login.token));
  const key = wanted(await as.post("/v1/api-keys", { label: "Chaos", scopes: SCOPES }));
  const customer = wanted(await as.post("/v1/customers", { name: "Chaos" }));
  const subscription = wanted(
    await as.post("/v1/webhooks/subscriptions", { name: "Chaos", url, events: EVENTS }),
  );
  return {
    apiKey: key.key as string,
    customerId: customer.id as string,
    signingSecret: subscription.signingSecret as string,
  };
}

function wanted({ status, body, text }: ApiResponse) {
  if (status >= 300) throw new Error(`refused with ${status}: ${text}`);
  return body.data;
}
