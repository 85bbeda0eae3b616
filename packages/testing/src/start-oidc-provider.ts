// A real OIDC provider with TLS, for tests of sign-ins. It asks nothing: the browser is signed in as the `account`.
import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import type { Certificate } from "./certificate-authority.ts";
import { listenLocally } from "./listen-locally.ts";

interface Account {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

export interface OidcProvider {
  readonly settings: Record<"OIDC_ISSUER" | "OIDC_CLIENT_ID" | "OIDC_CLIENT_SECRET" | "OIDC_NAME", string>;
  /** The user at the provider's next sign-in. */
  account: Account;
  /** True if the user presses "Cancel". */
  isCancelled: boolean;
  /** The requests that the provider does not respond to: it closes the connection. */
  isDown: (path: string) => boolean;
  readonly requests: string[];
  /** Signs with other keys from now on, and forgets the sign-ins that have begun. */
  rotateKeys(): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  readonly redirectUris: readonly string[];
  /** True if the ID token has the e-mail, as Google's; false if only the user info has it. */
  readonly emailInToken?: boolean;
}

export async function startOidcProvider(
  { certificate, key }: Certificate,
  { redirectUris, emailInToken = false }: Options,
): Promise<OidcProvider> {
  let handle: (req: IncomingMessage, res: ServerResponse) => unknown = () => undefined;
  const server = https.createServer({ cert: certificate, key }, (req, res) => {
    const { pathname } = new URL(req.url ?? "", "https://localhost");
    started.requests.push(pathname);
    return started.isDown(pathname) ? req.socket.destroy() : void handle(req, res);
  });
  const { port, stop } = await listenLocally(server);
  const issuer = `https://localhost:${port}`;
  const started: OidcProvider = {
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: "tradepost",
      OIDC_CLIENT_SECRET: randomUUID(),
      OIDC_NAME: "Test Directory",
    },
    account: { sub: "nobody" },
    isCancelled: false,
    isDown: () => false,
    requests: [],
    rotateKeys: async () => {
      handle = await providerWithNewKeys(started, redirectUris, emailInToken);
    },
    stop,
  };
  await started.rotateKeys();
  return started;
}

async function providerWithNewKeys(
  provider: OidcProvider,
  redirectUris: readonly string[],
  emailInToken: boolean,
) {
  // Loading the library takes longer than the rest of this package.
  const { Provider } = await import("oidc-provider");
  const { settings } = provider;
  const signing = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });
  const known = new Map<string, Account>();
  const oidc = new Provider(settings.OIDC_ISSUER, {
    clients: [
      {
        client_id: settings.OIDC_CLIENT_ID,
        client_secret: settings.OIDC_CLIENT_SECRET,
        redirect_uris: [...redirectUris],
      },
    ],
    jwks: { keys: [{ ...signing, kid: randomUUID(), use: "sig", alg: "RS256" }] },
    cookies: { keys: [randomUUID()] },
    adapter: inMemory(),
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    conformIdTokenClaims: !emailInToken,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ ...known.get(id), sub: id }) }),
    loadExistingGrant: async (ctx) => {
      const { client, session } = ctx.oidc;
      const grant = new oidc.Grant({
        ...(client && { clientId: client.clientId }),
        ...(session?.accountId !== undefined && { accountId: session.accountId }),
      });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  });
  const handle = oidc.callback();
  return async (req: IncomingMessage, res: ServerResponse) => {
    if (!req.url?.startsWith("/interaction/")) return await handle(req, res);
    const { account, isCancelled } = provider;
    known.set(account.sub, account);
    const cancelled = { error: "access_denied", error_description: "The user cancelled." };
    const result = isCancelled ? cancelled : { login: { accountId: account.sub, remember: false } };
    return await oidc.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
  };
}

/** The library's own adapter prints a warning. */
function inMemory() {
  const stored = new Map<string, Record<string, unknown>>();
  return (model: string) => ({
    upsert: async (id: string, payload: object) => void stored.set(`${model} ${id}`, { ...payload }),
    find: async (id: string) => stored.get(`${model} ${id}`),
    findByUid: async (uid: string) => [...stored.values()].find((payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    consume: async (id: string) =>
      void Object.assign(stored.get(`${model} ${id}`) ?? {}, { consumed: Math.floor(Date.now() / 1_000) }),
    destroy: async (id: string) => void stored.delete(`${model} ${id}`),
    revokeByGrantId: async () => undefined,
  });
}
