// Describes the operations of callers on themselves (interface §2). Pure.
import { type About, data, page, roles, scopes } from "@tradepost/http";
import { z } from "zod";
import { moduleNames } from "../../tenant/module-name.ts";
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
    }),
    tenant: z.strictObject({
      id: z.uuid(),
      slug: z.string(),
      name: z.string(),
      modules: z.array(z.enum(moduleNames)).describe("The active modules"),
    }),
  })
  .meta({ id: "Me", description: "The caller and the caller's tenant." });

export const meAbouts = {
  get: {
    id: "getMe",
    tag,
    summary: "Get the caller and the caller's tenant",
    responses: { 200: data(me) },
  },
  changePassword: {
    id: "changeMyPassword",
    tag,
    summary: "Change the caller's password",
    description:
      "Ends all other sessions of the user. A wrong current password is 422 on `currentPassword`, and such failures are limited like sign-ins.",
    responses: { 200: data(endedSessions) },
  },
  listSessions: {
    id: "listMySessions",
    tag,
    summary: "List the caller's open sessions",
    description: "The newest come first.",
    responses: { 200: page(mySession) },
  },
  endSession: {
    id: "endMySession",
    tag,
    summary: "End a session of the caller",
    description: "Its tokens are refused from the next request on.",
    responses: { 200: data(z.strictObject({ id: z.uuid(), ended: z.literal(true) })) },
  },
} satisfies Record<string, About>;
