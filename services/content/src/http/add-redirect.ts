// POST /v1/redirects: a new redirect, and `redirect.added`.
import { type Answer, type ApiRequest, created } from "@tradepost/http";
import { z } from "zod";
import { isTarget, normalPath, redirectTypes } from "../redirect/redirect.ts";
import * as store from "../redirect/redirect-store.ts";
import type { Content } from "./routes.ts";

/** A path in its normal form. */
export const path = z.string("must be a string").transform((given, context) => {
  const normal = normalPath(given);
  if (normal !== null) return normal;
  context.addIssue({
    code: "custom",
    message: "must be a path that begins with / and has no query or fragment",
  });
  return z.NEVER;
});

export const redirectInput = z.strictObject({
  from: path,
  to: z
    .string("must be a string")
    .refine(isTarget, "must be a path that begins with / or an absolute http(s) URL"),
  type: z.literal([...redirectTypes], `must be one of ${redirectTypes.join(", ")}`).default(301),
});

export function addRedirect({ db, onCommit }: Content) {
  return async (request: ApiRequest<z.output<typeof redirectInput>, undefined>): Promise<Answer> => {
    const redirect = await store.addRedirect(db, request.body, request);
    onCommit();
    return created(redirect, `/v1/redirects/${redirect.id}`);
  };
}
