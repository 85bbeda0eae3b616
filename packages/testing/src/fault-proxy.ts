import { once } from "node:events";
import net from "node:net";
import { freePort } from "./free-port.ts";

interface Link {
  readonly client: net.Socket;
  readonly server: net.Socket;
  isStranded: boolean;
  hasLostBytes: boolean;
}

// In ms; longer than a busy process takes to respond.
const PROBE_TIMEOUT_MS = 500;

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

/**
 * For one server, or several equal ones that take connections in turn. Skips a server that refuses connections, and HTTP
 * servers whose `/readyz` is not 200, unless none is ready.
 */
export async function startFaultProxy(serverUrl: string, ...more: string[]) {
  const targets = [serverUrl, ...more].map((url) => new URL(url));
  let turn = 0;
  const links = new Set<Link>();
  let discarding: "nothing" | "everything" | "responses" = "nothing";

  const listener = net.createServer(async (client) => {
    client.on("error", () => undefined);
    turn += 1;
    const inTurn = targets.map((_, index) => targets[(turn + index) % targets.length] as URL);
    const server = await connectToOne(await readyFirst(inTurn));
    if (server === null || client.destroyed) {
      resetSocket(client);
      server?.destroy();
      return;
    }
    const link: Link = { client, server, isStranded: false, hasLostBytes: false };
    links.add(link);
    client.on("close", () => links.delete(link));
    pipe(link, client, server, () => discarding !== "everything");
    pipe(link, server, client, () => discarding === "nothing");
  });

  function resetLinks(which: (link: Link) => boolean): void {
    for (const { client, server } of [...links].filter(which)) {
      resetSocket(client);
      resetSocket(server);
    }
  }

  const port = await freePort();
  const listen = async () => {
    listener.listen(port, "127.0.0.1");
    await once(listener, "listening");
  };
  const close = () =>
    new Promise<void>((resolve) => {
      listener.close(() => resolve());
      resetLinks(() => true);
    });

  await listen();
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    /** New connections are accepted. */
    reset: () => resetLinks(() => true),
    refuse: close,
    /** Until `restore`, keeps connections open and discards all bytes, or only what the server sends. */
    blackhole: (what: "everything" | "responses" = "everything") => {
      discarding = what;
    },
    /** Until `restore`, discards the bytes of the connections that are open now. New connections work. */
    strand: () => {
      for (const link of links) link.isStranded = true;
    },
    /** Resets connections that lost bytes. */
    restore: async () => {
      discarding = "nothing";
      resetLinks((link) => link.isStranded || link.hasLostBytes);
      if (!listener.listening) await listen();
    },
    stop: close,
  };
}

/** After a socket has sent a FIN, Node's reset fails and never closes it. */
function resetSocket(socket: net.Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

function pipe(link: Link, from: net.Socket, to: net.Socket, isOpen: () => boolean): void {
  from.on("data", (bytes) => {
    if (isOpen() && !link.isStranded) to.write(bytes);
    else link.hasLostBytes = true;
  });
  from.on("end", () => to.end());
  // `close` follows each error, and its handler closes the other side.
  from.on("error", () => undefined);
  from.on("close", () => to.destroy());
}

/** Starts with the first ready server, if any. A server that is starting or stopping also listens. */
async function readyFirst(targets: readonly URL[]): Promise<readonly URL[]> {
  if (targets.length === 1) return targets;
  for (const target of targets) {
    if (await isReady(target)) return [target, ...targets.filter((other) => other !== target)];
  }
  return targets;
}

async function isReady(target: URL): Promise<boolean> {
  if (target.protocol !== "http:") return true;
  try {
    const response = await fetch(new URL("/readyz", target), {
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

async function connectToOne(targets: readonly URL[]): Promise<net.Socket | null> {
  for (const { port, hostname } of targets) {
    const socket = net.connect(Number(port), hostname);
    const isConnected = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    if (isConnected) return socket;
  }
  return null;
}
