// PUT /v1/content-types/{slug}: a new type, or other fields for one that is there, where that breaks none of its entries.
import { type ApiRequest, type ApiResponse, created, type FieldFault, ok, validate } from "@tradepost/http";
import {
  type ContentTypeInput,
  contentTypeInput,
  isTypeSlug,
  repeatedKeys,
  slugFault,
} from "../content-type/content-type-input.ts";
import { putContentType as put } from "../content-type/content-type-store.ts";
import type { Content } from "./context.ts";

export function putContentType({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<unknown, undefined>): Promise<ApiResponse> => {
    const slug = request.params.slug ?? "";
    const ofSlug: FieldFault[] = isTypeSlug(slug) ? [] : [{ path: "slug", message: slugFault }];
    const faults = [...ofSlug, ...repeatedKeys(request.body)];
    const input: ContentTypeInput = validate(contentTypeInput, request.body, faults);
    const { contentType, isNew } = await put(tenants.of(request.principal.tenantId), slug, input, request);
    onCommit();
    return isNew ? created(contentType, `/v1/content-types/${slug}`) : ok(contentType);
  };
}
