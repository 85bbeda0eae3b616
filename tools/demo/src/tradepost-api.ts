// The demo's HTTP client: got, with the API's envelope removed from responses.
import got, { type Got, HTTPError } from "got";
import type { Platform } from "./read-platform-file.ts";

export interface Api {
  // The demo only prints the data, so it declares no type per response.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  get(path: string): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  post(path: string, body: unknown): Promise<any>;
  delete(path: string): Promise<void>;
}

/** Sends requests as the demo tenant's owner, with a dashboard token. */
export async function signIn(platform: Platform): Promise<Api> {
  const headers = { authorization: `Bearer ${await tokenOf(platform)}` };
  return client(got.extend({ prefixUrl: platform.gatewayUrl, headers }));
}

/** A dashboard token of the demo tenant's owner. */
export async function tokenOf({ gatewayUrl, demo }: Platform): Promise<string> {
  const { token } = await client(got.extend({ prefixUrl: gatewayUrl })).post("v1/auth/login", {
    email: demo.ownerEmail,
    password: demo.ownerPassword,
  });
  return token;
}

/** Sends requests as an integration, with the demo tenant's API key. */
export function withKey({ gatewayUrl, demo }: Platform): Api {
  return client(got.extend({ prefixUrl: gatewayUrl, headers: { authorization: `Bearer ${demo.apiKey}` } }));
}

function client(http: Got): Api {
  return {
    get: (path) => dataOf(http.get(path).json()),
    post: (path, body) => dataOf(http.post(path, { json: body }).json()),
    delete: async (path) => void (await http.delete(path)),
  };
}

async function dataOf(response: Promise<{ data?: unknown }>): Promise<unknown> {
  try {
    return (await response).data;
  } catch (error) {
    if (error instanceof HTTPError)
      throw new Error(`The API responded with an error: ${error.response.body}`, { cause: error });
    throw error;
  }
}
