// The routes of staff users, and of their sessions (interface §2).
import {
  type ApiRequest,
  created,
  cursorPage,
  data,
  listed,
  ok,
  page,
  pageOnly,
  route,
} from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { z } from "zod";
import { ADMIN } from "../../requirements.ts";
import type { IdentityContext } from "../context.ts";
import { recordAboutUser } from "../record-about-user.ts";
import { idempotent, NO_STORE, respondOnce } from "../responses.ts";
import { endUserSessions, listSessions } from "../sessions/session-store.ts";
import { resetFactor } from "./second-factor.ts";
import { makeSetupLink } from "./setup-link.ts";
import { changeUser, createUser, deleteUser, findManagedUser } from "./staff.ts";
import { staffChange } from "./staff-refusals.ts";
import { authorizeReset, authorizeStaffChange, type UserChange, userResource } from "./user.ts";
import { userChangeInput, userInput } from "./user-input.ts";
import { endedSessions, setupLink, user, userSession } from "./user-schema.ts";
import { listUsers, type User } from "./user-store.ts";

const tag = "Users";
const OWNERS = "Only an owner may create, change or delete an owner.";

const newUser = user
  .extend({ setup: setupLink.optional().describe("For a user without a password") })
  .meta({ id: "NewUser", description: "A new staff user." });

const list = ({ db }: IdentityContext) =>
  route("GET /v1/users", {
    ...ADMIN,
    query: pageOnly,
    about: {
      id: "listUsers",
      tag,
      summary: "List staff users",
      description: "The newest come first.",
      responses: { 200: page(user) },
    },
    handle: async ({ principal, query }) => {
      const rows = await listUsers(tenantOf(db, principal.tenantId), query);
      return listed(cursorPage(rows, query.limit, { shown: userResource }));
    },
  });

const create = (context: IdentityContext) =>
  route("POST /v1/users", {
    ...ADMIN,
    isIdempotent: true,
    body: userInput,
    about: {
      id: "createUser",
      tag,
      summary: "Create a staff user",
      description: `Without a password the response has a set-up link, \`setup\`, to pass on to the user. ${OWNERS} An e-mail that a user of any tenant
has confirmed, or that the tenant has added, is 409 \`email_taken\`; after 10 of these in an hour the response is 429.`,
      responses: { 201: data(newUser) },
      errors: ["email_taken"],
    },
    handle: staffChange(context, createOnce(context), ({ body }) => body.email.toLowerCase()),
  });

function createOnce(context: IdentityContext) {
  const { passwords, staffRefusals } = context;
  return idempotent(context, async (tenant, request: ApiRequest<z.output<typeof userInput>, undefined>) => {
    await staffRefusals.checkEmails(tenant.tenantId);
    return await createUser(tenant, passwords, request.body, request, (tx, inserted, setup) => {
      const user = userResource(inserted);
      if (setup === null) return respondOnce(tx, request, created(user, undefined, NO_STORE));
      const response = created({ ...user, setup }, undefined, NO_STORE);
      return respondOnce(tx, request, response, { setup: { ...setup, token: null } });
    });
  });
}

const change = (context: IdentityContext) =>
  route("PATCH /v1/users/:id", {
    ...ADMIN,
    body: userChangeInput,
    about: {
      id: "updateUser",
      tag,
      summary: "Change a staff user",
      description: `A new role holds from the user's next request on; a new password ends the user's sessions. ${OWNERS} Only an owner may set the password of an
admin or an owner. A change that would leave the tenant without an active owner is 409 \`last_owner\`.`,
      responses: { 200: data(user) },
      errors: ["last_owner"],
    },
    handle: staffChange(context, async (request: ApiRequest<UserChange, undefined>) => {
      const tenant = tenantOf(context.db, request.principal.tenantId);
      return ok(userResource(await changeUser(tenant, context.passwords, request.id, request.body, request)));
    }),
  });

const remove = (context: IdentityContext) =>
  route("DELETE /v1/users/:id", {
    ...ADMIN,
    about: {
      id: "deleteUser",
      tag,
      summary: "Delete a staff user",
      description: `Also ends the user's sessions. The audit log keeps what the user did. ${OWNERS} The last active owner is 409 \`last_owner\`.`,
      responses: { 200: data(z.strictObject({ id: z.uuid(), deleted: z.literal(true) })) },
      errors: ["last_owner"],
    },
    handle: staffChange(context, async (request: ApiRequest<undefined, undefined>) => {
      await deleteUser(tenantOf(context.db, request.principal.tenantId), request.id, request);
      return ok({ id: request.id, deleted: true });
    }),
  });

const createSetupLink = (context: IdentityContext) =>
  route("POST /v1/users/:id/setup-link", {
    ...ADMIN,
    isIdempotent: true,
    body: z.strictObject({}),
    bodyIsOptional: true,
    about: {
      id: "createSetupLink",
      tag,
      summary: "Make a set-up link for a staff user",
      description: `For a user who has no password yet, or forgot it. A later link ends the earlier one. An inactive user is 409 \`conflict\`, and one whose e-mail
another user has confirmed 409 \`email_taken\`. Only an owner may make a link for an owner.`,
      responses: { 201: data(setupLink) },
      errors: ["conflict", "email_taken"],
    },
    handle: staffChange(
      context,
      idempotent(context, (tenant, request: ApiRequest<Record<string, never>, undefined>) =>
        tenant.transaction(async (tx) => {
          const authorize = ({ role }: User) => authorizeStaffChange(request.principal.role, [role]);
          const link = await makeSetupLink(tx, request.id, authorize, request);
          return await respondOnce(tx, request, created(link, undefined, NO_STORE), { token: null });
        }),
      ),
    ),
  });

const listSessionsOf = ({ db }: IdentityContext) =>
  route("GET /v1/users/:id/sessions", {
    ...ADMIN,
    query: pageOnly,
    about: {
      id: "listUserSessions",
      tag,
      summary: "List the open sessions of a staff user",
      description: "The newest come first. Only an owner may see the sessions of an owner.",
      responses: { 200: page(userSession) },
    },
    handle: async ({ principal, query, id }) => {
      const tenant = tenantOf(db, principal.tenantId);
      await findManagedUser(tenant, id, principal.role);
      const rows = await listSessions(tenant, id, query);
      return { ...listed(cursorPage(rows, query.limit)), headers: NO_STORE };
    },
  });

const endSessionsOf = (context: IdentityContext) =>
  route("DELETE /v1/users/:id/sessions", {
    ...ADMIN,
    about: {
      id: "endUserSessions",
      tag,
      summary: "End all sessions of a staff user",
      description: "Their tokens are refused from now on. Only an owner may end those of an owner.",
      responses: { 200: data(endedSessions) },
    },
    handle: staffChange(context, async (request: ApiRequest<undefined, undefined>) => {
      const { principal, id } = request;
      return await tenantOf(context.db, principal.tenantId).transaction(async (tx) => {
        await findManagedUser(tx, id, principal.role);
        const endedCount = await endUserSessions(tx, id);
        if (endedCount > 0) await recordAboutUser(tx, "user.sessions_ended", id, request, { endedCount });
        return ok({ endedSessions: endedCount }, NO_STORE);
      });
    }),
  });

const resetSecondFactor = (context: IdentityContext) =>
  route("DELETE /v1/users/:id/second-factor", {
    ...ADMIN,
    about: {
      id: "resetSecondFactor",
      tag,
      summary: "Reset the second factor of a staff user",
      description: `For a user who has lost it. Ends the user's sessions; then the password suffices until the user sets up another one. Only an owner may reset
that of an admin or an owner, and nobody the own one. A user without a second factor is 404.`,
      responses: { 200: data(endedSessions) },
    },
    handle: staffChange(context, async (request: ApiRequest<undefined, undefined>) => {
      const { principal, id } = request;
      const authorize = (user: User) => authorizeReset(principal, user);
      const endedCount = await tenantOf(context.db, principal.tenantId).transaction((tx) =>
        resetFactor(tx, id, authorize, request),
      );
      return ok({ endedSessions: endedCount }, NO_STORE);
    }),
  });

export const userRoutes = [
  ...[list, create, change, remove, createSetupLink, listSessionsOf, endSessionsOf],
  resetSecondFactor,
];
