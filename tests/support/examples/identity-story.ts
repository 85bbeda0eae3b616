// The staff of a shop signs in, creates keys for its systems, and adds and removes users.
import { authenticator } from "@tradepost/testing";
import type { TestTenant } from "../test-platform.ts";
import type { Call, Callers } from "./recorder.ts";

type Owner = Pick<TestTenant, "ownerEmail" | "ownerPassword">;
const PASSWORD = "correct-horse-battery-7";
const SENDER = { line1: "Rua do Cais 12", postalCode: "1200-109", city: "Lisboa", country: "PT" };

/** Returns the owner's dashboard token, and an API key with all scopes. */
export async function signInStory(as: Callers["as"], { ownerEmail, ownerPassword }: Owner) {
  const anyone = as();
  const login = await anyone("login", { body: { email: ownerEmail, password: ownerPassword } });
  const refreshed = await anyone("refreshToken", { headers: { cookie: cookieOf(login.headers) } });
  const ownerToken: string = refreshed.data.token;
  const owner = as(ownerToken);
  await anyone("getApiDescription");
  await anyone("getSignInMethods");
  await anyone("startOidcSignIn");
  await anyone("finishOidcSignIn", { query: { error: "access_denied" } });
  await owner("getMe");
  await owner("unlinkMyIdentity");
  await owner("listModules");
  await owner("getShop");
  await owner("updateShop", {
    body: { currency: "EUR", timeZone: "Europe/Lisbon", locale: "pt-PT", address: SENDER },
  });
  await owner("setModule", { params: { name: "content" }, body: { active: true } });
  const { data } = await owner("createApiKey", {
    headers: { "idempotency-key": "warehouse-key-1" },
    body: {
      label: "Warehouse system",
      scopes: ["read:crm", "write:crm", "write:crm_bulk", "read:content", "write:content"],
    },
  });
  return { ownerToken, apiKey: data.key as string };
}

export async function keysStory({ as, owner }: Callers): Promise<void> {
  const { data: key } = await owner("createApiKey", { body: { label: "Partner", scopes: ["read:crm"] } });
  const params = { id: key.id };
  await owner("listApiKeys");
  await owner("getApiKey", { params });
  const change = { label: "Partner, read only", allowedAddresses: ["203.0.113.0/24"] };
  await owner("updateApiKey", { params, body: change });
  const { data: rotated } = await owner("rotateApiKey", { params, body: { overlapHours: 48 } });
  await as()("revokeHeldKey", { body: { key: rotated.key } });
  await owner("revokeApiKey", { params });
}

export async function staffStory({ as, owner }: Callers): Promise<void> {
  const anyone = as();
  const { data: user } = await owner("createUser", {
    body: { email: "grace@harbour-goods.example", name: "Grace Hopper", role: "editor" },
  });
  const params = { id: user.id };
  const { data: link } = await owner("createSetupLink", { params });
  await anyone("setUpPassword", { body: { token: link.token, password: PASSWORD } });
  const signIn = (password: string) => anyone("login", { body: { email: user.email, password } });
  const elsewhere = await signIn(PASSWORD);
  const { data: session } = await signIn(PASSWORD);
  const member = as(session.token);
  const { data: sessions } = await member("listMySessions");
  const other = sessions.find(({ current }: { current: boolean }) => !current);
  await member("endMySession", { params: { id: other.id } });
  await anyone("logout", { headers: { cookie: cookieOf(elsewhere.headers) } });
  const body = { currentPassword: PASSWORD, newPassword: `${PASSWORD}-next` };
  await member("changeMyPassword", { body });
  await owner("listUsers");
  await secondFactorStory({ as, owner }, { ...user, password: body.newPassword });
  await owner("updateUser", { params, body: { role: "admin" } });
  await owner("listUserSessions", { params });
  await owner("endUserSessions", { params });
  await owner("deleteUser", { params });
  await owner("listAuditLog", { query: { limit: "3" } });
  await owner("exportAuditLog", { query: { format: "ndjson" } });
  await owner("getAuditLogHead");
  const [request] = (await owner("listRequests", { query: { limit: "2" } })).data;
  await owner("getRequest", { params: { requestId: request.id } });
  await owner("getUsage");
}

/** A user protects the account, signs in with two steps, removes the protection, and sets it up again for a reset. */
async function secondFactorStory(
  { as, owner }: Pick<Callers, "as" | "owner">,
  { id, email, password }: { readonly id: string; readonly email: string; readonly password: string },
): Promise<void> {
  const signIn = async () => (await as()("login", { body: { email, password } })).data;
  const protect = async (member: Call) => {
    const { data } = await member("setUpSecondFactor", { body: { currentPassword: password } });
    const app = authenticator(data.secret);
    await member("confirmSecondFactor", { body: { code: await app.unused() } });
    return app;
  };
  const app = await protect(as((await signIn()).token));
  const { secondFactor } = await signIn();
  const finished = await as()("finishSignIn", {
    body: { token: secondFactor.token, code: await app.unused() },
  });
  const member = as(finished.data.token);
  await member("removeSecondFactor", { body: { code: await app.unused() } });
  await protect(member);
  await owner("resetSecondFactor", { params: { id } });
  await owner("getSecurity");
  await owner("setSecurity", { body: { requireSecondFactor: false } });
}

/** Returns the cookies that a response sets, as a browser sends them back. */
function cookieOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
