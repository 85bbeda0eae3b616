// Two replicas of each service behind a balancer. They start and stop one by one, as in a rolling restart.
import http from "node:http";
import { environmentOf, ROOT, SERVICES, type ServiceName, serviceProgram } from "@tradepost/devstack";
import { createLogger } from "@tradepost/runtime";
import {
  apiClient,
  createTestBroker,
  listenLocally,
  type TestServiceDatabase,
  until,
} from "@tradepost/testing";
import { createServiceFiles, forServices, startService } from "./services.ts";

/** A name such as `orders-1`. */
export type ReplicaName = `${ServiceName}-${number}`;
export type Replicas = Awaited<ReturnType<typeof startReplicas>>;

interface Running {
  stop(): Promise<void>;
  /** Of a process: resolves with the way it ended. */
  readonly ended?: Promise<string>;
}
type Start = (name: ReplicaName, ...given: Parameters<typeof environmentOf>) => Promise<Running>;

export const asProcess: Start = (name, service, port, environment) =>
  serviceProgram(service, name, port, environment).start();
export const inThisProcess: Start = (_name, ...given) =>
  startService(given[0], environmentOf(...given), createLogger("test", "silent"));

const SETTINGS = {
  LOG_LEVEL: "info",
  // Within this time, a replica that is stopping responds to what its balancer has sent.
  DRAIN_IDLE_MS: "1000",
  CANARY_EVERY_MS: "0",
  RATE_LIMIT_PER_SECOND: "0",
  TENANT_RATE_LIMIT_PER_SECOND: "0",
  TENANT_CONCURRENCY_MAX: "0",
};

/** Resolves when the databases, the broker and the balancers exist. No service runs yet. */
export async function startReplicas(
  createDatabase: (service: ServiceName) => Promise<TestServiceDatabase>,
  startOne: Start,
  more: Record<string, string> = {},
) {
  // Stops the parts that were started if a later step fails.
  await using ended = new AsyncDisposableStack();
  const files = createServiceFiles({ ...SETTINGS, ...more });
  ended.defer(files.remove);
  const broker = await createTestBroker();
  ended.defer(broker.drop);
  const databases = await forServices(createDatabase);
  ended.defer(async () => void (await forServices((service) => databases[service].drop())));
  const ports = await files.claimPorts(SERVICES.flatMap((service) => replicasOf(service)));
  const urlOf = (name: ReplicaName) => `http://127.0.0.1:${ports[name]}`;
  const balancers = await forServices((service) => startBalancer(replicasOf(service).map(urlOf)));
  ended.defer(async () => void (await forServices((service) => balancers[service].stop())));
  const serviceUrls = await forServices(async (service) => balancers[service].url);
  /** Settings of the replicas that start next, by service, because the two ends of a secret change one after the other. */
  const next = await forServices(async (service) => ({
    ...{ ...files, secrets: { ...files.secrets }, serviceUrls },
    ...{ amqpUrl: broker.amqpUrl, databaseUrl: databases[service].serviceUrl },
  }));
  const running = new Map<ReplicaName, Promise<Running>>();
  // If one replica fails to start, others may still be starting.
  const stop = async (name: ReplicaName): Promise<string | undefined> => {
    const one = await running.get(name)?.catch(() => undefined);
    running.delete(name);
    await one?.stop();
    return await one?.ended;
  };
  ended.defer(async () => void (await Promise.all([...running.keys()].map(stop))));

  /** Starts a replica of the release whose source is at `root`. */
  const start = (name: ReplicaName, root = ROOT): Promise<Running> => {
    const service = serviceOf(name);
    const started = startOne(name, service, ports[name] as number, { ...next[service], root });
    running.set(name, started);
    return started;
  };
  /** Resolves when the replica is ready, and thus gets requests. */
  const startReady = async (name: ReplicaName, root = ROOT): Promise<void> => {
    await start(name, root);
    await until(`${name} to be ready`, () => isReady(urlOf(name)));
  };
  const kept = ended.move();
  return {
    ...{ broker, databases, urlOf, next, start, startReady, stop, logOf: files.logOf },
    /** The address of the gateway's balancer. */
    url: balancers.gateway.url,
    /** For the operators' commands. */
    operated: {
      databases: await forServices(async (service) => databases[service].ownerUrl),
      ...{ broker, mediaDir: files.mediaDir },
    },
    startAll: async (replica: number, root = ROOT) =>
      void (await forServices((service) => startReady(`${service}-${replica}`, root))),
    /** Returns the number of requests to which the replica has responded. */
    served: (name: ReplicaName) => balancers[serviceOf(name)].served(urlOf(name)),
    stopAll: () => kept.disposeAsync(),
  };
}

function replicasOf(service: ServiceName): ReplicaName[] {
  return [`${service}-1`, `${service}-2`];
}

function serviceOf(name: ReplicaName): ServiceName {
  return name.split("-")[0] as ServiceName;
}

/** Sends each request to the next replica whose /readyz responds with 200. The replicas may start and stop at any time. */
async function startBalancer(replicas: readonly string[]) {
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
    served: (replica: string) => served.get(replica) ?? 0,
  };
}

/** Without the broker, a replica is ready too. */
async function isReady(replica: string): Promise<boolean> {
  const response = await apiClient(replica)
    .get("/readyz")
    .catch(() => undefined);
  return response?.status === 200;
}
