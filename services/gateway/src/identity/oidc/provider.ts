// The operator's OIDC provider: the address to send a browser to, and what it says of the user who comes back (interface §25).
import { types } from "node:util";
import { freshFor, type Logger } from "@tradepost/runtime";
import * as oidc from "openid-client";
import type { Settings } from "../../config.ts";

export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** `subject` is unique at the issuer and never changes. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
}

/** `refused`: by the user or the provider, or a response that is not the provider's. */
export type ProviderFailure = "expired" | "refused" | "unavailable";

type ProviderSettings = Pick<Settings, "OIDC_ISSUER" | "OIDC_CLIENT_ID" | "OIDC_CLIENT_SECRET" | "OIDC_NAME">;

const TIMEOUT_SECONDS = 5;
const METADATA_FRESH_MS = 60_000;

export type Provider = NonNullable<ReturnType<typeof oidcProvider>>;

export function oidcProvider(settings: ProviderSettings, logger: Logger) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET, OIDC_NAME: name } = settings;
  if (!issuer || !clientId || !OIDC_CLIENT_SECRET || !name) return null;
  const insecure = issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : [];
  const metadata = freshFor(METADATA_FRESH_MS, async () => {
    const options = { timeout: TIMEOUT_SECONDS, execute: insecure };
    return (await oidc.discovery(new URL(issuer), clientId, undefined, undefined, options)).serverMetadata();
  });
  // Made again for each use, because the provider's keys may have been rotated.
  const configuration = async () => {
    const server = await metadata();
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const auth = methods.includes("client_secret_post") ? oidc.ClientSecretPost : oidc.ClientSecretBasic;
    const config = new oidc.Configuration(server, clientId, undefined, auth(OIDC_CLIENT_SECRET));
    config.timeout = TIMEOUT_SECONDS;
    // Checks the signature of the ID token, although it arrives over TLS.
    for (const extend of [oidc.enableNonRepudiationChecks, ...insecure]) extend(config);
    return config;
  };
  const orFailure = async <Result>(work: () => Promise<Result>): Promise<Result | ProviderFailure> => {
    try {
      return await work();
    } catch (error) {
      const failure = failureOf(error);
      // The error itself may contain claims.
      const { message, code } = error as NodeJS.ErrnoException;
      logger.warn(
        { failure, reason: message, code, cause: causeOf(error) },
        "a sign-in at the OIDC provider failed",
      );
      return failure;
    }
  };
  return {
    name,
    /** An operator may write the issuer without its last slash. */
    hasIssued: (identity: Pick<Claims, "issuer">) => new URL(identity.issuer).href === new URL(issuer).href,
    authorizationUrl: (checks: Checks, redirectUri: string) =>
      orFailure(async () =>
        oidc.buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: "openid email",
          ...{ state: checks.state, nonce: checks.nonce },
          code_challenge: await oidc.calculatePKCECodeChallenge(checks.codeVerifier),
          code_challenge_method: "S256",
        }),
      ),
    /** Redeems the code of `responseUrl`, the address to which the provider sent the browser back, whose state was checked. */
    claimsOf: (responseUrl: URL, checks: Checks) =>
      orFailure(async () => await redeem(await configuration(), responseUrl, checks)),
  };
}

/** The code of the innermost error that has a code, such as `ECONNREFUSED`. */
function causeOf(error: unknown): string | undefined {
  if (!types.isNativeError(error)) return undefined;
  return causeOf(error.cause) ?? (error as NodeJS.ErrnoException).code;
}

async function redeem(config: oidc.Configuration, responseUrl: URL, checks: Checks): Promise<Claims> {
  const { state: expectedState, nonce: expectedNonce, codeVerifier: pkceCodeVerifier } = checks;
  const tokens = await oidc.authorizationCodeGrant(config, responseUrl, {
    ...{ expectedState, expectedNonce, pkceCodeVerifier },
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error("the response has no ID token");
  if (!IS_SUBJECT.test(claims.sub)) throw wrongClaim("sub");
  // Some providers return the address only with the user info.
  const asksUser = claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
  const { email, email_verified } = asksUser
    ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
    : claims;
  if (typeof email === "string" && !IS_PLAIN.test(email)) throw wrongClaim("email");
  return {
    ...{ issuer: claims.iss, subject: claims.sub },
    email: typeof email === "string" ? email : null,
    isEmailVerified: email_verified === true,
  };
}

// Without control characters and halves of surrogate pairs, some of which no database stores.
const IS_PLAIN = /^[^\p{Cc}\p{Cs}]*$/u;
const IS_SUBJECT = /^(?=.*\S)[^\p{Cc}\p{Cs}]{1,255}$/u;

function wrongClaim(name: string): Error {
  const message = `the claim "${name}" is not plain text of a valid length`;
  return Object.assign(new oidc.ClientError(message), { code: "OAUTH_INVALID_RESPONSE" });
}

const IS_FAULT_OF_PROVIDER = /^(server_error|temporarily_unavailable)$/;
const IS_WRONG_RESPONSE = /^OAUTH_(INVALID_RESPONSE|JWT_|JSON_ATTRIBUTE_|KEY_SELECTION)/;

function failureOf(error: unknown): ProviderFailure {
  if (error instanceof oidc.AuthorizationResponseError)
    return IS_FAULT_OF_PROVIDER.test(error.error) ? "unavailable" : "refused";
  if (error instanceof oidc.ResponseBodyError && error.error === "invalid_grant") return "expired";
  const isWrong = error instanceof oidc.ClientError && IS_WRONG_RESPONSE.test(error.code ?? "");
  return isWrong ? "refused" : "unavailable";
}
