// The tenants of a chaos run, each with a subscription whose receiver is ours.
import { makeTenants, type Tenant } from "../../local/src/make-tenants.ts";
import type { Stack } from "./stack.ts";

const SLUGS = ["chaos-1", "chaos-2", "chaos-3", "chaos-4"];
const EVENTS = ["redirect.added", "redirect.removed"];

export function chaosTenants({ url, databases }: Stack, receiverUrl: string): Promise<Tenant[]> {
  const wanted = SLUGS.map((slug) => ({
    slug,
    subscription: { url: `${receiverUrl}/${slug}`, events: EVENTS },
  }));
  return makeTenants(url, databases.gateway, wanted);
}
