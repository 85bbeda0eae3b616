// The filters of the customers, which are in the address. Pure.
import { given, textOf } from "../../format/search-values.ts";

export interface CustomersSearch {
  readonly search?: string;
  readonly externalId?: string;
  readonly add?: true;
}

export function customersSearch({ search, externalId, add }: Record<string, unknown>): CustomersSearch {
  return given({
    search: textOf(search),
    externalId: textOf(externalId),
    add: add === true ? add : undefined,
  });
}
