// A load balancer in front of the replicas of a service. It sends each request to the next replica whose /readyz responds with
// 200.
import http from "node:http";
import { apiClient, listenLocally } from "@tradepost/testing";

/** The replicas may start and stop at any time. */
export async function startBalancer(replicas: readonly string[]) {
  const served = new Map(replicas.map((url) => [url, 0]));
  let turn = 0;
  const nextReady = async () => {
    turn += 1;
    const inTurn = replicas.map((_, index) => replicas[(turn + index) % replicas.length] ?? "");
    for (const url of inTurn) if (await isReady(url)) return url;
    return undefined;
  };
  const server = http.createServer(async (req, res) => {
    const url = await nextReady();
    if (url === undefined) return void res.writeHead(502).end("no replica is ready");
    // Use a new connection for each request, so that none is sent on a connection that the replica is closing.
    const options = { method: req.method, path: req.url, headers: req.headers, agent: false };
    const forwarded = http.request(url, options as http.RequestOptions, (response) => {
      served.set(url, (served.get(url) ?? 0) + 1);
      const { connection: _, "keep-alive": __, ...headers } = response.headers;
      res.writeHead(response.statusCode ?? 502, headers);
      response.pipe(res);
    });
    forwarded.on("error", (error) => {
      if (res.headersSent) res.destroy();
      else res.writeHead(502).end(`${url}: ${error.message}`);
    });
    req.pipe(forwarded);
  });
  const { url, stop } = await listenLocally(server);
  return {
    url,
    stop,
    /** Returns the number of requests to which the replica has responded. */
    served: (replica: string) => served.get(replica) ?? 0,
  };
}

/** Without the broker, a replica is ready too. */
export async function isReady(replica: string): Promise<boolean> {
  const response = await apiClient(replica)
    .get("/readyz")
    .catch(() => undefined);
  return response?.status === 200;
}
