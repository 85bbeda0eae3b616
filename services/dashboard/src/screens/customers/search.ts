// The filters of the customers, which are in the address. Pure.
import { given, textOf } from "../../format/search-values.ts";

export interface CustomersSearch {
  readonly email?: string;
  readonly externalId?: string;
  /** The form for a new customer is open. */
  readonly add?: true;
}

export function customersSearch({ email, externalId, add }: Record<string, unknown>): CustomersSearch {
  return given({
    email: textOf(email),
    externalId: textOf(externalId),
    add: add === true ? add : undefined,
  });
}
