// GET /v1/content-types/{slug}: one content type with its fields.
import { type Answer, type ApiRequest, notFound, ok } from "@tradepost/http";
import { findContentType } from "../content-type/content-type-store.ts";
import type { Content } from "./context.ts";

export function readContentType({ tenants }: Content) {
  return async ({ principal, params }: ApiRequest<undefined, undefined>): Promise<Answer> => {
    const contentType = await findContentType(tenants.of(principal.tenantId), params.slug ?? "");
    if (contentType === null) throw notFound("content type");
    return ok(contentType);
  };
}
