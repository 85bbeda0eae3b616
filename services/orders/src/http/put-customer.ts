// PUT /v1/customers/by-external-id/{externalId}: creates the customer (201) or gives it the values of the body (200).
import {
  type ApiRequest,
  type ApiResponse,
  type FieldFault,
  jsonObject,
  type Validate,
} from "@tradepost/http";
import { type CustomerReplacement, customerReplacement } from "../customer/customer-input.ts";
import { createdResponse, customerResponse } from "../customer/customer-resource.ts";
import * as customer from "../customer/save-customer.ts";
import type { Orders } from "./context.ts";

/** Validates the body together with the externalId of the path, so that one response names every fault. */
type ReplacementOf = (externalId: string) => CustomerReplacement;

/** For the route table: the handler calls the function with the externalId of the path. */
export function replacementInput(
  json: unknown,
  otherFaults: readonly FieldFault[],
  validate: Validate,
): ReplacementOf {
  return (externalId) => {
    const { data: body } = jsonObject.safeParse(json);
    if (body === undefined) return validate(customerReplacement, json, otherFaults);
    const isOther = body.externalId !== undefined && body.externalId !== externalId;
    const faults = isOther ? [{ path: "externalId", message: "must be the one in the path" }] : [];
    return validate(customerReplacement, { ...body, externalId }, [...otherFaults, ...faults]);
  };
}

export function putCustomer({ tenants }: Orders) {
  return async (request: ApiRequest<ReplacementOf, undefined>): Promise<ApiResponse> => {
    const { principal, params, raw } = request;
    const externalId = params.externalId ?? "";
    const body = request.body(externalId);
    const tenant = tenants.of(principal.tenantId);
    const saved = await customer.putCustomer(tenant, externalId, body, raw.headers["if-match"], request);
    return saved.isNew ? createdResponse(saved.customer) : customerResponse(saved.customer);
  };
}
