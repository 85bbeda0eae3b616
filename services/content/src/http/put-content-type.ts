// PUT /v1/content-types/{slug}: creates a content type, or changes its fields if that leaves every entry valid;
// `content_type.upserted`.
import { type ApiRequest, type ApiResponse, created, etagOf, type FieldFault, ok } from "@tradepost/http";
import {
  type ContentTypeInput,
  isTypeSlug,
  repeatedKeys,
  slugFault,
} from "../content-type/content-type-input.ts";
import { upsertContentType } from "../content-type/upsert-content-type.ts";
import type { DeferredBody } from "../deferred-body.ts";
import type { Content } from "./context.ts";

export function putContentType({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<DeferredBody<ContentTypeInput>, undefined>): Promise<ApiResponse> => {
    const { body, params, principal } = request;
    const slug = params.slug ?? "";
    const slugFaults: FieldFault[] = isTypeSlug(slug) ? [] : [{ path: "slug", message: slugFault }];
    const input = body.validate([...slugFaults, ...repeatedKeys(body.json)]);
    const tenant = tenants.of(principal.tenantId);
    const ifMatch = request.raw.headers["if-match"];
    const { contentType, isNew } = await upsertContentType(tenant, slug, input, { cause: request, ifMatch });
    onCommit();
    const headers = { etag: etagOf(contentType.version) };
    return isNew ? created(contentType, `/v1/content-types/${slug}`, headers) : ok(contentType, headers);
  };
}
