// The gateway's own routes: who may call what. Everything else under /v1 is forwarded to the service that owns it.
import { pageQuery, type Route, route } from "@tradepost/http";
import { z } from "zod";
import type { Gateway } from "./context.ts";
import { apiKeyInput, createApiKey } from "./create-api-key.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { login, loginInput } from "./login.ts";
import { me } from "./me.ts";
import { readApiKey } from "./read-api-key.ts";
import { revokeApiKey } from "./revoke-api-key.ts";

const page = z.strictObject(pageQuery);

// biome-ignore format: a table is read by its columns.
export function routes(gateway: Gateway): Route[] {
  return [
    route({ method: "POST",   path: "/v1/auth/login",   module: null, role: "anyone", scope: null, body: loginInput, answer: login(gateway) }),
    route({ method: "GET",    path: "/v1/me",           module: null, role: "viewer", scope: null, answer: me(gateway) }),
    route({ method: "GET",    path: "/v1/api-keys",     module: null, role: "admin",  scope: null, query: page, answer: listApiKeys(gateway) }),
    route({ method: "POST",   path: "/v1/api-keys",     module: null, role: "admin",  scope: null, body: apiKeyInput, answer: createApiKey(gateway) }),
    route({ method: "GET",    path: "/v1/api-keys/:id", module: null, role: "admin",  scope: null, answer: readApiKey(gateway) }),
    route({ method: "DELETE", path: "/v1/api-keys/:id", module: null, role: "admin",  scope: null, answer: revokeApiKey(gateway) }),
  ];
}
