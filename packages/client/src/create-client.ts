// The client: one method for each operation of the platform, created from the generated table of operations.
import type { CallOptions, WithIfMatch, WithIfNoneMatch, WithKey } from "./call-options.ts";
import { type ClientOptions, settingsOf } from "./client-options.ts";
import { METHODS, OPERATIONS } from "./generated/operations.ts";
import type { Resources } from "./generated/resources.ts";
import { type Input, type Request, type Response, requester } from "./http/request.ts";
import type { Parameters } from "./http/url.ts";
import { compareLedger, type LedgerComparison, type LedgerInput } from "./ledger/compare-ledger.ts";
import type { Operation } from "./operation.ts";
import type { BodyOf, DataOf, OperationId, PathOf, QueryOf } from "./operation-types.ts";
import { createFeed } from "./pages/feed.ts";
import { createList } from "./pages/list.ts";

/** A client of one platform, for one caller. */
export interface Tradepost extends Resources {
  /** Sends a request by the id of its operation. The response has its status, `ETag`, and the body as text with every digit. */
  request<Id extends OperationId>(id: Id, input?: RequestInput<Id>): Promise<Response<DataOf<Id>>>;
  /**
   * Compares a receiver's record of a day with the platform's ledger (interface §18), with one request if they are equal;
   * otherwise it lists the deliveries of each hour that differs. Rows and differences must fit in memory. Rejects with a
   * TypeError for a row without a delivery id or a time.
   */
  compareLedger(input: LedgerInput, options?: CallOptions): Promise<LedgerComparison>;
}

export interface RequestInput<Id extends OperationId>
  extends CallOptions,
    WithKey,
    WithIfMatch,
    WithIfNoneMatch {
  readonly path?: PathOf<Id>;
  readonly query?: QueryOf<Id>;
  readonly body?: BodyOf<Id>;
}

/**
 * Creates a client (interface §11). It sends nothing before the first request.
 *
 * Requests reject with a `TradepostError`, or with a TypeError for arguments that no request can have.
 *
 * @throws a TypeError that names an invalid option.
 */
export function createClient(options: ClientOptions): Tradepost {
  const request = requester(settingsOf(options));
  const resources = Object.entries(METHODS).map(([resource, methods]) => [
    resource,
    Object.fromEntries(
      Object.entries(methods).map(([name, id]) => [name, method(request, id, OPERATIONS[id])]),
    ),
  ]);
  const client: Tradepost = {
    ...(Object.fromEntries(resources) as Resources),
    request: async (id, input = {}) => {
      const operation: Operation | undefined = OPERATIONS[id];
      if (operation === undefined) throw new TypeError(`${id}: is not an operation`);
      return (await request(id, operation, input as Input)) as Response<never>;
    },
    compareLedger: (input, options) => compareLedger(client, input, options),
  };
  return client;
}

/** The arguments are the path parameters, then the body or the query, then the options. */
function method(request: Request, id: string, operation: Operation) {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return (...values: unknown[]) => {
    const path = Object.fromEntries(names.map((name, index) => [name, values[index]]));
    const rest = values.slice(names.length);
    const given = operation.input === "none" ? undefined : rest.shift();
    const options = (rest[0] ?? {}) as CallOptions;
    const query = (operation.input === "query" ? (given ?? {}) : {}) as Parameters;
    const body = operation.input === "query" ? undefined : given;
    const read = (page: Parameters, more: CallOptions = {}) =>
      request(id, operation, { ...options, ...more, path, query: page });
    if (operation.kind === "list") return createList(read, query);
    if (operation.kind === "feed") {
      return createFeed(
        (page, deadlineMs = options.deadlineMs) => read(page, { deadlineMs }),
        query,
        options,
      );
    }
    return request(id, operation, { ...options, path, query, body }).then(({ data }) => data);
  };
}
