// GET /v1/entries/{id}: one entry as it was last written, as it is live, or as any of its revisions had it.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { z } from "zod";
import { findEntry } from "../entry/entry-store.ts";
import { type Content, revisionNumber } from "./context.ts";

export const entryQuery = z.strictObject({
  version: z
    .string()
    .transform((given, context) => {
      if (given === "draft" || given === "published") return given;
      const number = revisionNumber(given);
      if (number !== null) return number;
      context.addIssue({ code: "custom", message: "must be draft, published or a revision's number" });
      return z.NEVER;
    })
    .default("draft"),
});

export function readEntry({ tenants }: Content) {
  return async ({
    principal,
    id,
    query,
  }: ApiRequest<undefined, z.output<typeof entryQuery>>): Promise<ApiResponse> => {
    const entry = await findEntry(tenants.of(principal.tenantId), id, query.version);
    if (entry === null) throw notFound("entry");
    return ok(entry);
  };
}
