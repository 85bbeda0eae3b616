// The gateway's own routes: who may use each, and its handler. Other paths under /v1 are forwarded to the service that owns
// them.
import { pageOnly, type Route, route } from "@tradepost/http";
import { z } from "zod";
import { apiKeyChangeInput, apiKeyInput, rotationInput } from "../api-key/api-key-input.ts";
import { auditQuery } from "../audit-log/audit-query.ts";
import { moduleInput } from "../tenant/module-input.ts";
import {
  loginInput,
  passwordChangeInput,
  setupInput,
  userChangeInput,
  userInput,
} from "../user/user-input.ts";
import { apiKeyAbouts } from "./about/api-keys.ts";
import { descriptionAbouts } from "./about/description.ts";
import { meAbouts } from "./about/me.ts";
import { signInAbouts } from "./about/sign-in.ts";
import { auditLogAbouts, moduleAbouts } from "./about/tenant.ts";
import { userAbouts } from "./about/users.ts";
import { changeApiKey } from "./change-api-key.ts";
import { changeMyPassword } from "./change-my-password.ts";
import { changeUser } from "./change-user.ts";
import type { Gateway } from "./context.ts";
import { createApiKey } from "./create-api-key.ts";
import { createUser } from "./create-user.ts";
import { deleteUser } from "./delete-user.ts";
import { endMySession } from "./end-my-session.ts";
import { endUserSessions } from "./end-user-sessions.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { listAuditLog } from "./list-audit-log.ts";
import { listModules } from "./list-modules.ts";
import { listMySessions } from "./list-my-sessions.ts";
import { listUserSessions } from "./list-user-sessions.ts";
import { listUsers } from "./list-users.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { makeSetupLink } from "./make-setup-link.ts";
import { readApiDescription } from "./read-api-description.ts";
import { readApiKey } from "./read-api-key.ts";
import { readMe } from "./read-me.ts";
import { refreshToken } from "./refresh-token.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";
import { setModule } from "./set-module.ts";
import { setUpPassword } from "./set-up-password.ts";
import { staffChange } from "./staff-change.ts";

// Sign-in needs no credential, so its bodies are kept cheap to read. An e-mail and a password fit.
const SIGN_IN_BYTES_MAX = 4 * 1024;

const nothing = z.strictObject({});

// biome-ignore format: a table is read by its columns.
export function routes(gateway: Gateway): Route[] {
  return [
    route({ method: "GET",    path: "/v1/openapi.json",    module: null, role: "anyone", scope: null, about: descriptionAbouts.get, handle: readApiDescription(gateway) }),
    route({ method: "POST",   path: "/v1/auth/login",      module: null, role: "anyone", scope: null, bodyBytesMax: SIGN_IN_BYTES_MAX, about: signInAbouts.login, body: loginInput, handle: login(gateway) }),
    route({ method: "POST",   path: "/v1/auth/refresh",    module: null, role: "anyone", scope: null, bodyBytesMax: SIGN_IN_BYTES_MAX, about: signInAbouts.refresh, handle: refreshToken(gateway) }),
    route({ method: "POST",   path: "/v1/auth/logout",     module: null, role: "anyone", scope: null, bodyBytesMax: SIGN_IN_BYTES_MAX, about: signInAbouts.logout, handle: logout(gateway) }),
    route({ method: "POST",   path: "/v1/auth/setup",      module: null, role: "anyone", scope: null, bodyBytesMax: SIGN_IN_BYTES_MAX, about: signInAbouts.setUp, body: setupInput, handle: setUpPassword(gateway) }),
    route({ method: "GET",    path: "/v1/me",              module: null, role: "viewer", scope: null, about: meAbouts.get, handle: readMe(gateway) }),
    route({ method: "POST",   path: "/v1/me/password",     module: null, role: "viewer", scope: null, usersOnly: true, bodyBytesMax: SIGN_IN_BYTES_MAX, isIdempotent: true, about: meAbouts.changePassword, body: passwordChangeInput, handle: changeMyPassword(gateway) }),
    route({ method: "GET",    path: "/v1/me/sessions",     module: null, role: "viewer", scope: null, usersOnly: true, about: meAbouts.listSessions, query: pageOnly, handle: listMySessions(gateway) }),
    route({ method: "DELETE", path: "/v1/me/sessions/:id", module: null, role: "viewer", scope: null, usersOnly: true, about: meAbouts.endSession, handle: endMySession(gateway) }),
    route({ method: "GET",    path: "/v1/api-keys",        module: null, role: "admin",  scope: null, about: apiKeyAbouts.list, query: pageOnly, handle: listApiKeys(gateway) }),
    route({ method: "POST",   path: "/v1/api-keys",        module: null, role: "admin",  scope: null, isIdempotent: true, about: apiKeyAbouts.create, body: apiKeyInput, handle: createApiKey(gateway) }),
    route({ method: "GET",    path: "/v1/api-keys/:id",    module: null, role: "admin",  scope: null, about: apiKeyAbouts.get, handle: readApiKey(gateway) }),
    route({ method: "PATCH",  path: "/v1/api-keys/:id",    module: null, role: "admin",  scope: null, about: apiKeyAbouts.update, body: apiKeyChangeInput, handle: changeApiKey(gateway) }),
    route({ method: "POST",   path: "/v1/api-keys/:id/rotate", module: null, role: "admin", scope: null, isIdempotent: true, about: apiKeyAbouts.rotate, body: rotationInput, bodyIsOptional: true, handle: rotateApiKey(gateway) }),
    route({ method: "DELETE", path: "/v1/api-keys/:id",    module: null, role: "admin",  scope: null, about: apiKeyAbouts.revoke, handle: revokeApiKey(gateway) }),
    route({ method: "GET",    path: "/v1/users",           module: null, role: "admin",  scope: null, about: userAbouts.list, query: pageOnly, handle: listUsers(gateway) }),
    route({ method: "POST",   path: "/v1/users",           module: null, role: "admin",  scope: null, isIdempotent: true, about: userAbouts.create, body: userInput, handle: staffChange(gateway, createUser(gateway), ({ body }) => body.email.toLowerCase()) }),
    route({ method: "PATCH",  path: "/v1/users/:id",       module: null, role: "admin",  scope: null, about: userAbouts.update, body: userChangeInput, handle: staffChange(gateway, changeUser(gateway)) }),
    route({ method: "DELETE", path: "/v1/users/:id",       module: null, role: "admin",  scope: null, about: userAbouts.delete, handle: staffChange(gateway, deleteUser(gateway)) }),
    route({ method: "POST",   path: "/v1/users/:id/setup-link", module: null, role: "admin", scope: null, isIdempotent: true, about: userAbouts.createSetupLink, body: nothing, bodyIsOptional: true, handle: staffChange(gateway, makeSetupLink(gateway)) }),
    route({ method: "GET",    path: "/v1/users/:id/sessions", module: null, role: "admin", scope: null, about: userAbouts.listSessions, query: pageOnly, handle: listUserSessions(gateway) }),
    route({ method: "DELETE", path: "/v1/users/:id/sessions", module: null, role: "admin", scope: null, about: userAbouts.endSessions, handle: staffChange(gateway, endUserSessions(gateway)) }),
    route({ method: "GET",    path: "/v1/modules",         module: null, role: "viewer", scope: null, about: moduleAbouts.list, handle: listModules(gateway) }),
    route({ method: "PUT",    path: "/v1/modules/:name",   module: null, role: "owner",  scope: null, about: moduleAbouts.set, body: moduleInput, handle: setModule(gateway) }),
    route({ method: "GET",    path: "/v1/audit-log",       module: null, role: "admin",  scope: null, about: auditLogAbouts.list, query: auditQuery, handle: listAuditLog(gateway) }),
  ];
}
