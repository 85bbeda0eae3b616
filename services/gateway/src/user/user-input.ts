// What POST and PATCH /v1/users take, field by field (contract §2). Pure.
import { email, roles, text } from "@tradepost/http";
import { z } from "zod";

const PASSWORD_CHARACTERS_MIN = 12;
const PASSWORD_CHARACTERS_MAX = 1_024;

const name = text(200);
const role = z.enum(roles, `must be one of ${roles.join(", ")}`);
const password = z
  .string("must be a string")
  .min(PASSWORD_CHARACTERS_MIN, `must be at least ${PASSWORD_CHARACTERS_MIN} characters`)
  .max(PASSWORD_CHARACTERS_MAX, `must be at most ${PASSWORD_CHARACTERS_MAX} characters`);

export const userInput = z.strictObject({
  email,
  name,
  role,
  password,
});

export const userChangeInput = z.strictObject({
  name: name.optional(),
  role: role.optional(),
  active: z.boolean("must be true or false").optional(),
  password: password.optional(),
});
