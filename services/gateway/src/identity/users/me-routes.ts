// The routes of callers about themselves (interface §2).
import {
  type ApiRequest,
  cursorPage,
  data,
  listed,
  notFound,
  ok,
  page,
  pageOnly,
  required,
  roles,
  route,
  scopes,
} from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { z } from "zod";
import { VIEWER } from "../../requirements.ts";
import type { IdentityContext } from "../context.ts";
import { sessionIdOf } from "../credential.ts";
import { findIdentity } from "../oidc/identity-store.ts";
import { recordAboutUser } from "../record-about-user.ts";
import { idempotent, NO_STORE, respondOnce } from "../responses.ts";
import { readState } from "../second-factor/second-factor-store.ts";
import { endSession, listSessions } from "../sessions/session-store.ts";
import { findTenant, moduleNames } from "../tenants/tenant-store.ts";
import { changeOwnPassword } from "./change-own-password.ts";
import { PASSWORD_BODY_BYTES_MAX, passwordChangeInput } from "./user-input.ts";
import { endedSessions, mySession } from "./user-schema.ts";

const tag = "Me";

const me = z
  .strictObject({
    actor: z.strictObject({
      type: z.enum(["api_key", "user"]),
      id: z.uuid(),
      name: z.string().describe("The key's label, or the user's name"),
      role: z.enum(roles),
      scopes: z.array(z.enum(scopes)).describe("Empty for a user, who is limited by the role only"),
      secondFactor: z
        .strictObject({
          enabled: z.boolean().describe("Whether a sign-in needs a code besides the password"),
          required: z
            .boolean()
            .describe("Whether the tenant requires one. Without one, a user can then only set one up"),
          recoveryCodesLeft: z.int().min(0),
        })
        .optional()
        .describe("Only for a user"),
      identity: z
        .strictObject({
          issuer: z.string(),
          email: z.string().nullable().describe("As the provider named it when the user was linked"),
          linkedAt: z.iso.datetime(),
        })
        .nullish()
        .describe("Only for a user: the identity with which the user signs in at the provider"),
    }),
    tenant: z.strictObject({
      id: z.uuid(),
      slug: z.string(),
      name: z.string(),
      modules: z.array(z.enum(moduleNames)).describe("The active modules"),
    }),
  })
  .meta({ id: "Me", description: "The caller and the caller's tenant." });

const read = ({ db, signingKeys }: IdentityContext) =>
  route("GET /v1/me", {
    ...VIEWER,
    about: {
      id: "getMe",
      tag,
      summary: "Get the caller and the caller's tenant",
      responses: { 200: data(me) },
    },
    handle: async ({ principal, raw }) => {
      const ownTenant = tenantOf(db, principal.tenantId);
      const tenant = required(await findTenant(ownTenant), "tenant");
      const { id, slug, name, modules } = tenant;
      const { actor, role, scopes } = principal;
      const ofUser = actor.type === "user" && {
        secondFactor: await readState(ownTenant, actor.id, sessionIdOf(raw, signingKeys)),
        identity: await findIdentity(ownTenant, actor.id),
      };
      return ok({
        actor: {
          ...{ type: actor.type, id: actor.id, name: actor.name, role, scopes },
          ...ofUser,
        },
        tenant: { id, slug, name, modules },
      });
    },
  });

const changePassword = (context: IdentityContext) =>
  route("POST /v1/me/password", {
    ...VIEWER,
    usersOnly: true,
    bodyBytesMax: PASSWORD_BODY_BYTES_MAX,
    isIdempotent: true,
    body: passwordChangeInput,
    about: {
      id: "changeMyPassword",
      tag,
      summary: "Change the caller's password",
      description:
        "Ends all other sessions of the user. A wrong current password is 422 on `currentPassword`, and such failures are limited like sign-ins.",
      responses: { 200: data(endedSessions) },
    },
    handle: idempotent(
      context,
      (tenant, request: ApiRequest<z.output<typeof passwordChangeInput>, undefined>) => {
        const change = { ...request.body, sessionId: sessionIdOf(request.raw, context.signingKeys) };
        return changeOwnPassword(tenant, context, change, request, (tx, endedSessions) =>
          respondOnce(tx, request, ok({ endedSessions }, NO_STORE)),
        );
      },
      { isPerActor: true },
    ),
  });

const listMySessions = ({ db, signingKeys }: IdentityContext) =>
  route("GET /v1/me/sessions", {
    ...VIEWER,
    usersOnly: true,
    query: pageOnly,
    about: {
      id: "listMySessions",
      tag,
      summary: "List the caller's open sessions",
      description: "The newest come first.",
      responses: { 200: page(mySession) },
    },
    handle: async ({ principal, query, raw }) => {
      const rows = await listSessions(tenantOf(db, principal.tenantId), principal.actor.id, query);
      const currentId = sessionIdOf(raw, signingKeys);
      const shown = (session: (typeof rows)[number]) => ({ ...session, current: session.id === currentId });
      return { ...listed(cursorPage(rows, query.limit, { shown })), headers: NO_STORE };
    },
  });

const endMySession = ({ db }: IdentityContext) =>
  route("DELETE /v1/me/sessions/:id", {
    ...VIEWER,
    usersOnly: true,
    about: {
      id: "endMySession",
      tag,
      summary: "End a session of the caller",
      description: "Its tokens are refused from the next request on.",
      responses: { 200: data(z.strictObject({ id: z.uuid(), ended: z.literal(true) })) },
    },
    handle: async (request) => {
      const { id } = request;
      const { tenantId, actor } = request.principal;
      await tenantOf(db, tenantId).transaction(async (tx) => {
        const wasOpen = await endSession(tx, { userId: actor.id, id });
        if (!wasOpen) throw notFound("session");
        await recordAboutUser(tx, "auth.logout", actor.id, request, { sessionId: id });
      });
      return ok({ id, ended: true }, NO_STORE);
    },
  });

export const meRoutes = [read, changePassword, listMySessions, endMySession];
