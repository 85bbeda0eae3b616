// The routes of a tenant's modules (interface §2).
import { type ApiRequest, data, notFound, ok, route } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { z } from "zod";
import { recordAudit } from "../../audit-log/audit-log.ts";
import { OWNER, VIEWER } from "../../requirements.ts";
import type { IdentityContext } from "../context.ts";
import { listModules, moduleNames, setModule } from "./tenant-store.ts";

const moduleInput = z.strictObject({ active: z.boolean("must be true or false") });

const moduleName = z.enum(moduleNames);

const module = z
  .strictObject({ name: moduleName, active: z.boolean() })
  .meta({ id: "Module", description: "A module of the platform and whether the tenant uses it." });

const list = ({ db }: IdentityContext) =>
  route("GET /v1/modules", {
    ...VIEWER,
    about: {
      id: "listModules",
      tag: "Modules",
      summary: "List the modules",
      description: "All of them; the list has no pages.",
      responses: { 200: data(z.array(module)) },
    },
    handle: async ({ principal }) => ok(await listModules(tenantOf(db, principal.tenantId))),
  });

const set = ({ db }: IdentityContext) =>
  route("PUT /v1/modules/:name", {
    ...OWNER,
    body: moduleInput,
    about: {
      id: "setModule",
      tag: "Modules",
      summary: "Activate or deactivate a module",
      description: "Holds from the next request on. The routes of a module that is not active are 403.",
      params: { name: moduleName.describe("The module.") },
      responses: { 200: data(module) },
    },
    handle: async (request: ApiRequest<z.output<typeof moduleInput>, undefined>) => {
      const { active } = request.body;
      const name = moduleNames.find((known) => known === request.params.name);
      if (name === undefined) throw notFound("module");
      await tenantOf(db, request.principal.tenantId).transaction(async (tx) => {
        const hasChanged = await setModule(tx, name, active);
        if (!hasChanged) return;
        const entry = { action: "module.updated", target: { type: "module", id: name }, changes: { active } };
        await recordAudit(tx, entry, request);
      });
      return ok({ name, active });
    },
  });

export const moduleRoutes = [list, set];
