// Describes the operations on staff users (interface §2). Pure.
import { type About, data, page } from "@tradepost/http";
import { z } from "zod";
import { endedSessions, setupLink, user, userSession } from "./user-schema.ts";

const tag = "Users";
const OWNERS = "Only an owner may create, change or delete an owner.";

const newUser = user
  .extend({ setup: setupLink.optional().describe("For a user without a password") })
  .meta({ id: "NewUser", description: "A new staff user." });

export const userAbouts = {
  list: {
    id: "listUsers",
    tag,
    summary: "List staff users",
    description: "The newest come first.",
    responses: { 200: page(user) },
  },
  create: {
    id: "createUser",
    tag,
    summary: "Create a staff user",
    description: `Without a password the response has a set-up link, \`setup\`, to pass on to the user. ${OWNERS} An e-mail that a user of any tenant
has confirmed, or that the tenant has added, is 409 \`email_taken\`; after 10 of these in an hour the response is 429.`,
    responses: { 201: data(newUser) },
    errors: ["email_taken"],
  },
  update: {
    id: "updateUser",
    tag,
    summary: "Change a staff user",
    description: `A new role holds from the user's next request on; a new password ends the user's sessions. ${OWNERS} Only an owner may set the password of an
admin or an owner. A change that would leave the tenant without an active owner is 409 \`last_owner\`.`,
    responses: { 200: data(user) },
    errors: ["last_owner"],
  },
  delete: {
    id: "deleteUser",
    tag,
    summary: "Delete a staff user",
    description: `Also ends the user's sessions. The audit log keeps what the user did. ${OWNERS} The last active owner is 409 \`last_owner\`.`,
    responses: { 200: data(z.strictObject({ id: z.uuid(), deleted: z.literal(true) })) },
    errors: ["last_owner"],
  },
  createSetupLink: {
    id: "createSetupLink",
    tag,
    summary: "Make a set-up link for a staff user",
    description: `For a user who has no password yet, or forgot it. A later link ends the earlier one. An inactive user is 409 \`conflict\`. Only an owner may
make a link for an owner.`,
    responses: { 201: data(setupLink) },
    errors: ["conflict"],
  },
  listSessions: {
    id: "listUserSessions",
    tag,
    summary: "List the open sessions of a staff user",
    description: "The newest come first. Only an owner may see the sessions of an owner.",
    responses: { 200: page(userSession) },
  },
  endSessions: {
    id: "endUserSessions",
    tag,
    summary: "End all sessions of a staff user",
    description:
      "Their tokens are refused from the next request on. Only an owner may end the sessions of an owner.",
    responses: { 200: data(endedSessions) },
  },
} satisfies Record<string, About>;
