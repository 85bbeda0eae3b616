// The callers of the requests: an owner, a key, another tenant's key, and nobody. Requests about users, keys and modules use a
// separate tenant, because they end sessions, deactivate modules and require second factors. When its owner is locked out, a new tenant
// replaces it.
import type { DescribedOperation } from "../api-description.ts";
import type { TestPlatform, TestTenant } from "../test-platform.ts";
import type { RememberedIds } from "./remember-ids.ts";
import type { FuzzRequest } from "./requests.ts";

const OF_IDENTITY = /^\/v1\/(auth|me|users|api-keys|modules|security|audit-log)(\/|$)/;

/** Creates the tenants, and the first resource of some kinds in the shop. */
export async function startCallers(platform: TestPlatform, ids: RememberedIds) {
  const [shop, stranger, first] = await Promise.all([
    platform.createTenant(),
    platform.createTenant(),
    platform.createTenant(),
  ]);
  await createFirst(shop, ids);
  let identity: Promise<TestTenant> = Promise.resolve(first);
  return {
    /** Resolves when no tenant is being created. */
    settle: () => identity,
    /** Returns the headers that authenticate a request. */
    headersOf: async ({ caller, operation }: FuzzRequest): Promise<Record<string, string>> => {
      if (caller === "nobody") return {};
      const tenant = caller === "stranger" ? stranger : await tenantOf(operation);
      return { authorization: `Bearer ${caller === "owner" ? tenant.ownerToken : tenant.apiKey}` };
    },
    /** Replaces a tenant whose owner is no longer accepted. */
    noteStatus: ({ caller, operation }: FuzzRequest, status: number, sentWith: Record<string, string>) => {
      if (caller !== "owner" || ![401, 403].includes(status) || !OF_IDENTITY.test(operation.path)) return;
      identity = identity.then((tenant) =>
        sentWith.authorization?.endsWith(tenant.ownerToken) ? platform.createTenant() : tenant,
      );
    },
  };

  function tenantOf({ path }: DescribedOperation): Promise<TestTenant> {
    return OF_IDENTITY.test(path) ? identity : Promise.resolve(shop);
  }
}

// Random entries fit a content type only if all its fields are optional.
const FIELDS = ["title", "body", "x"].map((key) => ({ key, type: "text", required: false }));

async function createFirst({ owner, customerId }: TestTenant, ids: RememberedIds): Promise<void> {
  ids.remember("/v1/customers", JSON.stringify({ data: { id: customerId } }));
  for (const slug of ["post", "page", "news"]) {
    const { status } = await owner.put(`/v1/content-types/${slug}`, { name: slug, fields: FIELDS });
    if (status !== 201) throw new Error(`the content type ${slug}: ${status}`);
  }
  const events = ["content.entry.created", "media.uploaded"];
  for (const [path, body] of [
    ["/v1/orders", { customerId, items: [{ sku: "A", name: "A", quantity: 1, unitPrice: 10 }] }],
    ["/v1/entries", { type: "post", slug: "first", data: {} }],
    ["/v1/webhooks/subscriptions", { name: "A", url: "https://127.0.0.1:9/", events }],
    ["/v1/webhooks/listeners", { name: "A", events }],
  ] as const) {
    const { status, text } = await owner.post(path, body);
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    ids.remember(path, text);
  }
}
