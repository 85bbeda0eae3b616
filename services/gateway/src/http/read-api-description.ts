// GET /v1/openapi.json: the description of the whole API. It needs no credential.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import type { Gateway } from "./context.ts";

export function readApiDescription({ apiDescription }: Gateway) {
  return ({ raw }: ApiRequest<unknown, unknown>): Promise<ApiResponse> => apiDescription(raw);
}
