// The router between the gateway and the cells (docs/scaling.md). It sends each request to the cell of its tenant, which the
// gateway puts into a header. Signed links to media have the tenant in the query. The gateway's requests to /readyz have no
// tenant, so any cell may respond.
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface CellRouter {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * `cellOf` returns the address of a service in the tenant's cell, or in any cell without a tenant. If it returns undefined, the
 * request gets 503.
 */
export async function startCellRouter(
  cellOf: (tenantId: string | undefined) => string | undefined,
): Promise<CellRouter> {
  const server = http.createServer((req, res) => {
    const unavailable = () => void res.writeHead(503, { "retry-after": "1" }).end();
    const cell = cellOf(tenantOf(req));
    if (cell === undefined) return unavailable();
    const forwarded = http.request(
      cell + req.url,
      { method: req.method, headers: req.headers },
      (response) => {
        res.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(res);
      },
    );
    forwarded.on("error", unavailable);
    req.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function tenantOf({ url = "", headers }: http.IncomingMessage): string | undefined {
  if (/^\/v1\/media\/[^/?]+\/links\/file\?/.test(url))
    return new URL(url, "http://cell").searchParams.get("tenant") ?? undefined;
  return headers["x-tenant-id"]?.toString();
}
