// The filters of the customers, which are in the address. Pure.
import { given, textOf } from "../../format/search-values.ts";

export interface CustomersSearch {
  /** Words of the name, the e-mail address or the phone. */
  readonly search?: string;
  readonly externalId?: string;
  /** The form for a new customer is open. */
  readonly add?: true;
}

export function customersSearch({ search, externalId, add }: Record<string, unknown>): CustomersSearch {
  return given({
    search: textOf(search),
    externalId: textOf(externalId),
    add: add === true ? add : undefined,
  });
}
