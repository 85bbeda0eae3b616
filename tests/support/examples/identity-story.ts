// The staff of a shop signs in, creates keys for its systems, and adds and removes users.
import { authenticator } from "@tradepost/testing";
import type { Call } from "./recorder.ts";

export interface Shop {
  readonly ownerEmail: string;
  readonly ownerPassword: string;
}

export interface Credentials {
  /** The owner's dashboard token. */
  readonly ownerToken: string;
  /** An API key with all scopes. */
  readonly apiKey: string;
}

const PASSWORD = "correct-horse-battery-7";
const SENDER = { line1: "Rua do Cais 12", postalCode: "1200-109", city: "Lisboa", country: "PT" };

export async function signInStory(call: Call, { ownerEmail, ownerPassword }: Shop): Promise<Credentials> {
  const login = await call("login", { body: { email: ownerEmail, password: ownerPassword } });
  const refreshed = await call("refreshToken", { headers: { cookie: cookieOf(login.headers) } });
  const ownerToken: string = refreshed.data.token;
  await call("getApiDescription");
  await call("getSignInMethods");
  await call("startOidcSignIn");
  await call("finishOidcSignIn", { query: { error: "access_denied" } });
  await call("getMe", { token: ownerToken });
  await call("unlinkMyIdentity", { token: ownerToken });
  await call("listModules", { token: ownerToken });
  await call("getShop", { token: ownerToken });
  await call("updateShop", {
    token: ownerToken,
    body: { currency: "EUR", timeZone: "Europe/Lisbon", locale: "pt-PT", address: SENDER },
  });
  await call("setModule", { token: ownerToken, params: { name: "content" }, body: { active: true } });
  const { data } = await call("createApiKey", {
    token: ownerToken,
    headers: { "idempotency-key": "warehouse-key-1" },
    body: {
      label: "Warehouse system",
      scopes: ["read:crm", "write:crm", "write:crm_bulk", "read:content", "write:content"],
    },
  });
  return { ownerToken, apiKey: data.key };
}

export async function keysStory(call: Call, token: string): Promise<void> {
  const { data: key } = await call("createApiKey", {
    token,
    body: { label: "Partner", scopes: ["read:crm"] },
  });
  const params = { id: key.id };
  await call("listApiKeys", { token });
  await call("getApiKey", { token, params });
  const change = { label: "Partner, read only", allowedAddresses: ["203.0.113.0/24"] };
  await call("updateApiKey", { token, params, body: change });
  const { data: rotated } = await call("rotateApiKey", { token, params, body: { overlapHours: 48 } });
  await call("revokeHeldKey", { body: { key: rotated.key } });
  await call("revokeApiKey", { token, params });
}

export async function staffStory(call: Call, token: string): Promise<void> {
  const { data: user } = await call("createUser", {
    token,
    body: { email: "grace@harbour-goods.example", name: "Grace Hopper", role: "editor" },
  });
  const params = { id: user.id };
  const { data: link } = await call("createSetupLink", { token, params });
  await call("setUpPassword", { body: { token: link.token, password: PASSWORD } });
  const signIn = (password: string) => call("login", { body: { email: user.email, password } });
  const elsewhere = await signIn(PASSWORD);
  const { data: session } = await signIn(PASSWORD);
  const { data: sessions } = await call("listMySessions", { token: session.token });
  const other = sessions.find(({ current }: { current: boolean }) => !current);
  await call("endMySession", { token: session.token, params: { id: other.id } });
  await call("logout", { headers: { cookie: cookieOf(elsewhere.headers) } });
  const body = { currentPassword: PASSWORD, newPassword: `${PASSWORD}-next` };
  await call("changeMyPassword", { token: session.token, body });
  await call("listUsers", { token });
  await secondFactorStory(call, token, { ...user, password: body.newPassword });
  await call("updateUser", { token, params, body: { role: "admin" } });
  await call("listUserSessions", { token, params });
  await call("endUserSessions", { token, params });
  await call("deleteUser", { token, params });
  await call("listAuditLog", { token, query: { limit: "3" } });
  await call("exportAuditLog", { token, query: { format: "ndjson" } });
  await call("getAuditLogHead", { token });
  const [request] = (await call("listRequests", { token, query: { limit: "2" } })).data;
  await call("getRequest", { token, params: { requestId: request.id } });
  await call("getUsage", { token });
}

/** A user protects the account, signs in with two steps, removes the protection, and sets it up again for a reset. */
async function secondFactorStory(
  call: Call,
  ownerToken: string,
  { id, email, password }: { readonly id: string; readonly email: string; readonly password: string },
): Promise<void> {
  const signIn = async () => (await call("login", { body: { email, password } })).data;
  const protect = async (token: string) => {
    const { data } = await call("setUpSecondFactor", { token, body: { currentPassword: password } });
    const app = authenticator(data.secret);
    await call("confirmSecondFactor", { token, body: { code: await app.unused() } });
    return app;
  };
  const app = await protect((await signIn()).token);
  const { secondFactor } = await signIn();
  const finished = await call("finishSignIn", {
    body: { token: secondFactor.token, code: await app.unused() },
  });
  const { token } = finished.data;
  await call("removeSecondFactor", { token, body: { code: await app.unused() } });
  await protect(token);
  await call("resetSecondFactor", { token: ownerToken, params: { id } });
  await call("getSecurity", { token: ownerToken });
  await call("setSecurity", { token: ownerToken, body: { requireSecondFactor: false } });
}

/** Returns the cookies that a response sets, as a browser sends them back. */
function cookieOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
