// PUT /v1/customers/by-external-id/{externalId}: creates the customer (201) or gives it the values of the body (200).
import { type ApiRequest, type ApiResponse, invalid, validate } from "@tradepost/http";
import { z } from "zod";
import { type CustomerReplacement, externalId } from "../customer/customer-input.ts";
import { createdResponse, customerResponse } from "../customer/customer-resource.ts";
import * as customer from "../customer/save-customer.ts";
import type { Orders } from "./context.ts";

const pathInput = z.object({ externalId });

export function putCustomer({ tenants }: Orders) {
  return async (request: ApiRequest<CustomerReplacement, undefined>): Promise<ApiResponse> => {
    const { principal, params, body, raw } = request;
    const { externalId } = validate(pathInput, { externalId: params.externalId });
    if (body.externalId !== undefined && body.externalId !== externalId) {
      throw invalid([{ path: "externalId", message: "must be the one in the path" }]);
    }
    const tenant = tenants.of(principal.tenantId);
    const saved = await customer.putCustomer(tenant, externalId, body, raw.headers["if-match"]);
    return saved.isNew ? createdResponse(saved.customer) : customerResponse(saved.customer);
  };
}
