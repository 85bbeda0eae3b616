import { z } from "zod";
import * as schema from "../output-schema.ts";
import { tool } from "../tool.ts";
import { plain } from "../untrusted-text.ts";

export const whoami = tool({
  name: "whoami",
  title: "Who am I",
  description:
    "Shows the tenant (shop) with its currency and time zone, the name of this key, its scopes, the active modules, the tools that work, and which are missing and why. Use it first, or when a tool is missing or refused.",
  needs: [],
  effect: "reads",
  input: z.strictObject({}),
  output: schema.object({
    tenant: schema.anyObject,
    actor: schema.anyObject,
    scopes: schema.list(schema.text),
    modules: schema.list(schema.text),
    tools: schema.list(schema.text),
    missing: schema.list(),
  }),
  run: async (_args, { principal, describeTenant, tools: { available, refused } }) => {
    const { id, slug, name, modules, shop } = await describeTenant();
    const { actor, role, scopes } = principal;
    const readsShop = actor.type === "user" || scopes.some((scope) => scope.startsWith("read:"));
    const { currency, timeZone, locale } = shop;
    return {
      summary: `${available.length} tools work${refused.length === 0 ? "" : `, ${refused.length} do not: see missing`}.`,
      structured: {
        tenant: {
          ...{ id, slug, name: plain(name) },
          ...(readsShop && { currency, time_zone: timeZone, locale }),
        },
        actor: { type: actor.type, id: actor.id, name: plain(actor.name), role },
        scopes,
        modules,
        tools: available.map((one) => one.name),
        missing: refused.map(({ tool: one, refusal }) => ({ tool: one.name, because: refusal.message })),
      },
    };
  },
});
