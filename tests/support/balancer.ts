// A load balancer in front of the replicas of a service. It sends each request to the next replica whose /readyz responds with
// 200.
import http from "node:http";
import { sleep } from "@tradepost/runtime";
import { listenLocally } from "@tradepost/testing";

export interface Balancer {
  readonly url: string;
  /** The number of requests to which each replica has responded, by its URL. */
  readonly served: ReadonlyMap<string, number>;
  /** Reports whether the replica gets requests. */
  isIn(url: string): boolean;
  stop(): Promise<void>;
}

// Short enough for several probes within the DRAIN_IDLE_MS of replicas.ts.
const PROBE_EVERY_MS = 250;

/**
 * Starts a balancer in front of replicas, which may start and stop at any time. A replica gets no more requests after it
 * responded that it is not ready, or after `failedProbesMax` probes in a row without a response. With more than 1, a single lost
 * connection on a busy machine has no effect.
 */
export async function startBalancer(
  replicas: readonly string[],
  { failedProbesMax = 1 }: { failedProbesMax?: number } = {},
): Promise<Balancer> {
  const ready = new Set<string>();
  const served = new Map(replicas.map((url) => [url, 0]));
  const stopping = new AbortController();
  const probe = async (url: string) => {
    for (let failedProbes = 0; !stopping.signal.aborted; ) {
      const status = await fetch(`${url}/readyz`, { signal: stopping.signal }).then(
        async (response) => {
          await response.text();
          return response.status;
        },
        () => undefined,
      );
      failedProbes = status === undefined ? failedProbes + 1 : 0;
      if (status === 200) ready.add(url);
      else if (status !== undefined || failedProbes >= failedProbesMax) ready.delete(url);
      await sleep(PROBE_EVERY_MS, stopping.signal);
    }
  };
  const probing = replicas.map(probe);

  let turn = 0;
  const next = () => {
    const candidates = replicas.filter((url) => ready.has(url));
    turn += 1;
    return candidates[turn % candidates.length];
  };
  const server = http.createServer((req, res) => {
    const url = next();
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
  const local = await listenLocally(server);
  return {
    url: local.url,
    served,
    isIn: (url) => ready.has(url),
    stop: async () => {
      stopping.abort();
      await Promise.all(probing);
      await local.stop();
    },
  };
}
