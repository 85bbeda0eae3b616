// The bodies of the routes of users and sign-ins (interface §2, §20).
import { email, name, roles } from "@tradepost/http";
import { z } from "zod";
import { isCommonPassword } from "../passwords/common-password.ts";
import { withProof } from "../second-factor/second-factor-input.ts";

const PASSWORD_CHARACTERS_MIN = 12;
const PASSWORD_CHARACTERS_MAX = 1_024;
const TOKEN_CHARACTERS_MAX = 1_024;

const role = z.enum(roles, `must be one of ${roles.join(", ")}`);
const password = z
  .string("must be a string")
  .min(PASSWORD_CHARACTERS_MIN, `must be at least ${PASSWORD_CHARACTERS_MIN} characters`)
  .max(PASSWORD_CHARACTERS_MAX, {
    abort: true,
    error: `must be at most ${PASSWORD_CHARACTERS_MAX} characters`,
  })
  .refine(
    (value) => value.length < PASSWORD_CHARACTERS_MIN || !isCommonPassword(value),
    "is too easy to guess: it is a common password, or a common password with digits or signs around it",
  );

// These routes hash passwords, so their bodies are kept small.
export const PASSWORD_BODY_BYTES_MAX = 4 * 1024;

export const loginInput = z.strictObject({
  email: z.string().max(320),
  password: z.string().max(PASSWORD_CHARACTERS_MAX),
});

export const userInput = z.strictObject({
  email,
  name: name(200),
  role,
  password: password.nullish().describe("Without one, the user gets a set-up link"),
});

const token = z
  .string("must be a string")
  .max(TOKEN_CHARACTERS_MAX, `must be at most ${TOKEN_CHARACTERS_MAX} characters`);

export const setupInput = z.strictObject({ token, password });

export const secondFactorInput = withProof({ token });

export const userChangeInput = z.strictObject({
  name: name(200).optional(),
  role: role.optional(),
  active: z.boolean("must be true or false").optional(),
  password: password.optional(),
});

const currentPassword = z
  .string("must be a string")
  .max(PASSWORD_CHARACTERS_MAX, `must be at most ${PASSWORD_CHARACTERS_MAX} characters`)
  .optional()
  .describe("May be left out within 5 minutes of a sign-in at the provider");

export const passwordChangeInput = z.strictObject({ currentPassword, newPassword: password });

export const factorSetUpInput = z.strictObject({ currentPassword });
