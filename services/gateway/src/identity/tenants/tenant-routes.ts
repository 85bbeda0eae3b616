// The routes of a tenant's modules (interface §2), and of its shop (§23).
import { data, notFound, ok, required, route } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { z } from "zod";
import { differences, recordAudit } from "../../audit-log/audit-log.ts";
import { ADMIN, OWNER, VIEWER } from "../../requirements.ts";
import type { IdentityContext } from "../context.ts";
import { changedShop, findShop, shop, shopChange, updateShop } from "./shop-store.ts";
import { listModules, moduleNames, setModule } from "./tenant-store.ts";

const moduleInput = z.strictObject({ active: z.boolean("must be true or false") });

const moduleName = z.enum(moduleNames);

const module = z
  .strictObject({ name: moduleName, active: z.boolean() })
  .meta({ id: "Module", description: "A module of the platform and whether the tenant uses it." });

const listAll = ({ db }: IdentityContext) =>
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

const setActive = ({ db }: IdentityContext) =>
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
    handle: async (request) => {
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

const readShop = ({ db }: IdentityContext) =>
  route("GET /v1/shop", {
    ...VIEWER,
    scope: ["read:crm", "read:content"],
    about: {
      id: "getShop",
      tag: "Shop",
      summary: "Get the settings of the shop",
      responses: { 200: data(shop) },
    },
    handle: async ({ principal }) => {
      return ok(required(await findShop(tenantOf(db, principal.tenantId)), "tenant"));
    },
  });

const changeShop = ({ db }: IdentityContext) =>
  route("PATCH /v1/shop", {
    ...ADMIN,
    mergeLevels: 1,
    body: shopChange,
    about: {
      id: "updateShop",
      tag: "Shop",
      summary: "Change the settings of the shop",
      description: "An address replaces the whole address, unless in a JSON merge patch.",
      responses: { 200: data(shop) },
    },
    handle: (request) =>
      tenantOf(db, request.principal.tenantId).transaction(async (tx) => {
        const before = required(await findShop(tx, { locks: true }), "tenant");
        const after = changedShop(before, request.bodyFor(before));
        const changes = differences(before, after);
        if (changes === null) return ok(before);
        await updateShop(tx, after);
        const target = { type: "tenant", id: tx.tenantId };
        await recordAudit(tx, { action: "shop.updated", target, changes }, request);
        return ok(after);
      }),
  });

export const tenantRoutes = [listAll, setActive, readShop, changeShop];
