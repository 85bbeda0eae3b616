// The routes of a user's own second factor (interface §20).
import { type ApiRequest, created, data, ok, route } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { z } from "zod";
import { VIEWER } from "../../requirements.ts";
import type { IdentityContext } from "../context.ts";
import { sessionIdOf } from "../credential.ts";
import { idempotent, NO_STORE, respondOnce } from "../responses.ts";
import { confirmInput, FACTOR_BODY_BYTES_MAX, removeInput } from "../second-factor/second-factor-input.ts";
import { verifyOwnPassword } from "./change-own-password.ts";
import { confirmFactor, removeFactor, setUpFactor } from "./second-factor.ts";
import { limitedAsSignIn } from "./sign-in-limit.ts";
import { factorSetUpInput } from "./user-input.ts";
import { endedSessions } from "./user-schema.ts";

const tag = "Me";
const USER = { ...VIEWER, usersOnly: true, bodyBytesMax: FACTOR_BODY_BYTES_MAX } as const;
const LIMITED = "Wrong codes are limited like failed sign-ins.";

const setUp = z
  .strictObject({
    secret: z.string().nullable().describe("Base32, to type into an app. Null in a replayed response"),
    uri: z
      .string()
      .nullable()
      .describe("`otpauth://totp/…`, for a QR code that an app reads. Null in a replayed response"),
  })
  .meta({ id: "SecondFactorSetUp", description: "A new secret of a second factor." });

const recoveryCodes = z
  .strictObject({
    recoveryCodes: z
      .array(z.string())
      .nullable()
      .describe("Ten codes. With each, the user signs in once without the app. Null in a replayed response"),
  })
  .meta({ id: "RecoveryCodes", description: "The recovery codes of a second factor, shown once." });

const begin = (context: IdentityContext) =>
  route("POST /v1/me/second-factor", {
    ...USER,
    isIdempotent: true,
    body: factorSetUpInput,
    about: {
      id: "setUpSecondFactor",
      tag,
      summary: "Set up a second factor",
      description: `For an authenticator app (TOTP, RFC 6238). It counts once it is confirmed; until then, each request makes a new secret. A wrong current
password is 422 on \`currentPassword\`, and such failures are limited like failed sign-ins. A user who has a second factor gets 409
\`conflict\`.`,
      responses: { 201: data(setUp) },
      errors: ["conflict"],
    },
    handle: idempotent(
      context,
      async (tenant, request: ApiRequest<z.output<typeof factorSetUpInput>, undefined>) => {
        const sessionId = sessionIdOf(request.raw, context.signingKeys);
        await verifyOwnPassword(tenant, context, { ...request.body, sessionId }, request);
        return await tenant.transaction(async (tx) => {
          const made = await setUpFactor(tx, context.sealing, request.principal.actor.id);
          const response = created(made, undefined, NO_STORE);
          return await respondOnce(tx, request, response, { secret: null, uri: null });
        });
      },
      { isPerActor: true },
    ),
  });

const confirm = (context: IdentityContext) =>
  route("POST /v1/me/second-factor/confirm", {
    ...USER,
    isIdempotent: true,
    body: confirmInput,
    about: {
      id: "confirmSecondFactor",
      tag,
      summary: "Confirm a second factor with its first code",
      description: `From now on, a sign-in needs a code. Ends all other sessions of the user. A wrong code is 422 on \`code\`; without a set-up the response is
404, and 409 \`conflict\` for a second factor that is confirmed. ${LIMITED}`,
      responses: { 200: data(recoveryCodes) },
      errors: ["not_found", "conflict"],
    },
    handle: idempotent(
      context,
      (tenant, request: ApiRequest<z.output<typeof confirmInput>, undefined>) => {
        const confirmation = { ...request.body, sessionId: sessionIdOf(request.raw, context.signingKeys) };
        return limitedAsSignIn(tenant, context.signInLimit, request, () =>
          tenant.transaction(async (tx) => {
            const codes = await confirmFactor(tx, context.sealing, confirmation, request);
            const response = ok({ recoveryCodes: codes }, NO_STORE);
            return await respondOnce(tx, request, response, { recoveryCodes: null });
          }),
        );
      },
      { isPerActor: true },
    ),
  });

const remove = (context: IdentityContext) =>
  route("DELETE /v1/me/second-factor", {
    ...USER,
    body: removeInput,
    about: {
      id: "removeSecondFactor",
      tag,
      summary: "Remove the caller's second factor",
      description: `Needs a code or a recovery code. Ends all other sessions of the user. A wrong one is 422 on its field. ${LIMITED}`,
      responses: { 200: data(endedSessions) },
      errors: ["not_found"],
    },
    handle: async (request) => {
      const tenant = tenantOf(context.db, request.principal.tenantId);
      const removal = { proof: request.body, sessionId: sessionIdOf(request.raw, context.signingKeys) };
      const endedCount = await limitedAsSignIn(tenant, context.signInLimit, request, () =>
        tenant.transaction((tx) => removeFactor(tx, context.sealing, removal, request)),
      );
      return ok({ endedSessions: endedCount }, NO_STORE);
    },
  });

export const secondFactorRoutes = [begin, confirm, remove];
