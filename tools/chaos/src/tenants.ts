// The tenants of a chaos run, each with a subscription whose receiver is ours.

import { createTenants, type TenantCredentials } from "@tradepost/devstack";
import { apiClient, bearer } from "@tradepost/testing";
import type { ChaosPlatform } from "./platform.ts";

const SLUGS = ["chaos-1", "chaos-2", "chaos-3", "chaos-4"];
const EVENTS = ["redirect.added", "redirect.removed"];

export function chaosTenants(
  { url, databases }: ChaosPlatform,
  receiverUrl: string,
): Promise<TenantCredentials[]> {
  const wanted = SLUGS.map((slug) => ({
    slug,
    subscription: { url: `${receiverUrl}/${slug}`, events: EVENTS },
  }));
  return createTenants(url, databases.gateway, wanted);
}

/** Where its webhooks come in. */
export const HOSTILE_PATH = "/chaos-hostile";
/** The type of its entries: a text of any length. */
export const HOSTILE_TYPE = "hostile";

const HOSTILE_SCOPES = ["write:crm", "write:crm_bulk", "read:content", "write:content"];

/** The tenant that means ill, and hears of its entries only: the ledger counts the others' redirects. */
export async function hostileTenant(
  { url, databases }: ChaosPlatform,
  receiverUrl: string,
): Promise<TenantCredentials> {
  const subscription = { url: `${receiverUrl}${HOSTILE_PATH}`, events: ["content.entry.created"] };
  const wanted = { slug: "chaos-hostile", subscription, scopes: HOSTILE_SCOPES };
  const [hostile] = await createTenants(url, databases.gateway, [wanted]);
  if (hostile === undefined) throw new Error("no tenant was made");
  const type = { name: "Hostile", fields: [{ key: "text", type: "text", required: true }] };
  const owner = apiClient(url, bearer(hostile.ownerToken));
  const { status, text } = await owner.put(`/v1/content-types/${HOSTILE_TYPE}`, type);
  if (status >= 300) throw new Error(`refused with ${status}: ${text}`);
  return hostile;
}
