// GET /v1/content-types/{slug}: reads a content type with its fields.
import { type ApiRequest, type ApiResponse, etagOf, notFound, ok } from "@tradepost/http";
import { findContentType } from "../content-type/content-type-store.ts";
import type { Content } from "./context.ts";

export function readContentType({ tenants }: Content) {
  return async ({ principal, params }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const contentType = await findContentType(tenants.of(principal.tenantId), params.slug ?? "");
    if (contentType === null) throw notFound("content type");
    return ok(contentType, { etag: etagOf(contentType.version) });
  };
}
