// The demo's clients: an integration, with the demo tenant's API key, and the tenant's owner, with a dashboard token.
import { createClient, type Tradepost } from "@tradepost/client";
import type { Platform } from "./read-platform-file.ts";

/** Sends requests as an integration. */
export function integrationOf({ gatewayUrl, demo }: Platform): Tradepost {
  return createClient({ url: gatewayUrl, apiKey: demo.apiKey });
}

/** Signs in as the demo tenant's owner. */
export async function signIn({ gatewayUrl, demo }: Platform): Promise<Tradepost> {
  const credentials = { email: demo.ownerEmail, password: demo.ownerPassword };
  const login = await createClient({ url: gatewayUrl }).auth.login(credentials);
  if ("secondFactor" in login) throw new Error("the demo's owner has set up a second factor");
  return createClient({ url: gatewayUrl, token: login.token });
}
