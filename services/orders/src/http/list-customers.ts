// GET /v1/customers: the tenant's customers, newest first.
import { type Answer, type ApiRequest, cursorPage, listed, type PageQuery } from "@tradepost/http";
import * as store from "../customer/customer-store.ts";
import type { Orders } from "./context.ts";

export function listCustomers({ db }: Orders) {
  return async ({ principal, query }: ApiRequest<undefined, PageQuery>): Promise<Answer> =>
    listed(cursorPage(await store.listCustomers(db, principal.tenantId, query), query.limit));
}
