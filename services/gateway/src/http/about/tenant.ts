// Describes the operations on a tenant's modules and its audit log (interface §2). Pure.
import { type About, data, page } from "@tradepost/http";
import { z } from "zod";
import { moduleNames } from "../../tenant/module-name.ts";

const moduleName = z.enum(moduleNames);

const module = z
  .strictObject({ name: moduleName, active: z.boolean() })
  .meta({ id: "Module", description: "A module of the platform and whether the tenant uses it." });

export const moduleAbouts = {
  list: {
    id: "listModules",
    tag: "Modules",
    summary: "List the modules",
    description: "All of them; the list has no pages.",
    responses: { 200: data(z.array(module)) },
  },
  set: {
    id: "setModule",
    tag: "Modules",
    summary: "Activate or deactivate a module",
    description: "Holds from the next request on. The routes of a module that is not active are 403.",
    params: { name: moduleName.describe("The module.") },
    responses: { 200: data(module) },
  },
} satisfies Record<string, About>;

const auditEntry = z
  .strictObject({
    id: z.uuid(),
    at: z.iso.datetime(),
    actor: z
      .strictObject({ type: z.enum(["api_key", "user", "operator"]), id: z.string(), name: z.string() })
      .describe("Who made the change; an operator acts with the command line of the platform"),
    action: z.string().describe("Such as `api_key.created` or `auth.login_failed`"),
    target: z.strictObject({
      type: z.string().describe("Such as `api_key`, `user` or `webhook_subscription`"),
      id: z.string(),
    }),
    changes: z.looseObject({}).describe("The changed fields, by their names in the API; never a secret"),
    requestId: z.string().describe("The `X-Request-Id` of the request"),
    ip: z.string().nullable().describe("Null for changes in services other than the gateway"),
    userAgent: z.string().nullable().describe("Null like `ip`"),
  })
  .meta({ id: "AuditEntry", description: "Who changed what and when. Entries are never modified." });

export const auditLogAbouts = {
  list: {
    id: "listAuditLog",
    tag: "Audit log",
    summary: "List the entries of the audit log",
    description: "The newest come first. Several filters together select the entries that match all of them.",
    responses: { 200: page(auditEntry) },
  },
} satisfies Record<string, About>;
