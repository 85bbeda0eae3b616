// Serves the gateway's routes with a sign-in limit that a test can use up directly. On a slow machine, a hundred failed sign-ins
// over HTTP could take longer than the windows of the limits.
import { randomBytes } from "node:crypto";
import { serveHttp, startListening } from "@tradepost/http";
import { createLogger, createMetrics } from "@tradepost/runtime";
import { CHEAP_COST } from "@tradepost/testing";
import { clientOf } from "../../src/client.ts";
import { begunSignIns } from "../../src/identity/oidc/begun-sign-in.ts";
import { passwords } from "../../src/identity/passwords/password.ts";
import { startBackgroundTasks } from "../../src/identity/record-about-user.ts";
import { secretSealing } from "../../src/identity/second-factor/secret-sealing.ts";
import { cookies } from "../../src/identity/sessions/cookies.ts";
import { refreshSecrets } from "../../src/identity/sessions/refresh-secret.ts";
import { fingerprintSigners } from "../../src/identity/signer.ts";
import { type SignInLimit, signInLimit } from "../../src/identity/users/sign-in-limit.ts";
import { staffRefusals } from "../../src/identity/users/staff-refusals.ts";
import { memoryStore } from "../../src/limits/limits.ts";
import { routes } from "../../src/routes.ts";
import type { TestGateway } from "./test-gateway.ts";

export async function startSignInServer({ db }: Pick<TestGateway, "db">) {
  const logger = createLogger("test", "silent");
  const store = memoryStore();
  const limit = signInLimit(store, () => undefined);
  const backgroundTasks = startBackgroundTasks(logger);
  const signingKeys = [{ id: "k1", secret: randomBytes(32) }];
  const server = serveHttp({
    listener: await startListening({ host: "127.0.0.1", port: 0 }),
    idleGraceMs: 0,
    routes: routes({
      db,
      findKey: () => Promise.resolve(null),
      signingKeys,
      sealing: secretSealing(signingKeys),
      cookies: cookies({ isSecure: true, signingKeys }),
      refreshSecrets: refreshSecrets(signingKeys),
      provider: null,
      begunSignIns: begunSignIns(signingKeys),
      redirectUri: () => "http://localhost/v1/auth/oidc/callback",
      fingerprintSigners: fingerprintSigners(signingKeys),
      passwords: passwords(() => undefined, CHEAP_COST),
      signInLimit: limit,
      staffRefusals: staffRefusals(store, () => undefined),
      countAuthFailure: () => undefined,
      apiDescription: () => Promise.reject(new Error("this server has no API description")),
      usage: { read: () => Promise.reject(new Error("this server counts no usage")) },
      backgroundTasks,
      readClient: (req) => clientOf(req, 1),
    }),
    identify: () => Promise.reject(new Error("this server has no authentication")),
    readiness: {},
    replicated: async () => {},
    logger,
    metrics: createMetrics("test"),
    metricsOn: "another port",
    isUnavailable: () => false,
  });
  return {
    url: server.url,
    limit,
    stop: async () => {
      await server.stop();
      await backgroundTasks.stop();
    },
  };
}

/**
 * Counts a failed sign-in as the gateway does, and counts it everywhere for `account`. Rejects with 429 beyond a limit.
 */
export async function failSignIn(
  limit: SignInLimit,
  email: string,
  ip: string,
  account = email,
): Promise<void> {
  const attempt = await limit.begin(email, { ip, userAgent: null });
  await attempt.countEverywhere(account);
}
