// The tenants of a bench.
import { makeTenants, type Tenant } from "../../local/src/make-tenants.ts";
import type { Stack } from "./stack.ts";

let made = 0;

/** In: how many, or a subscription's URL for each. Out: tenants that nobody else uses. */
export function benchTenants(
  { url, databases }: Stack,
  wanted: number | readonly string[],
  events: readonly string[] = ["redirect.added"],
): Promise<Tenant[]> {
  const urls: readonly (string | undefined)[] =
    typeof wanted === "number" ? Array.from({ length: wanted }, () => undefined) : wanted;
  const tenants = urls.map((receiver) => {
    made += 1;
    return {
      slug: `bench-${made}`,
      ...(receiver !== undefined && { subscription: { url: receiver, events } }),
    };
  });
  return makeTenants(url, databases.gateway, tenants);
}
