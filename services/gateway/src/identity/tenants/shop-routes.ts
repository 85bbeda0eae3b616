// The routes of a tenant's shop (interface §23).
import { type ApiRequest, data, ok, required, route } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { differences, recordAudit } from "../../audit-log/audit-log.ts";
import { ADMIN, VIEWER } from "../../requirements.ts";
import type { IdentityContext } from "../context.ts";
import { changedShop, findShop, type ShopChange, shop, shopChange, updateShop } from "./shop-store.ts";

const read = ({ db }: IdentityContext) =>
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

const change = ({ db }: IdentityContext) =>
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
    handle: (request: ApiRequest<ShopChange, undefined>) =>
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

export const shopRoutes = [read, change];
