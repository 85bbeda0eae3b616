// A TCP proxy between a client and a real server, or several alike, that breaks the link on demand: the network's share
// of every test of what happens when a server goes away.
import net, { type AddressInfo } from "node:net";

export interface FaultProxy {
  /** The server's URL with the proxy's address in place of its own. */
  readonly url: string;
  /** Resets what is open; new connections get through. */
  cut(): void;
  /** Resets what is open and refuses what comes, until `mend`. */
  refuse(): Promise<void>;
  /** Keeps connections open and takes what is sent, but passes nothing on (or no answers), until `mend`. */
  swallow(what?: "everything" | "answers"): void;
  /** Lets everything through again. What was swallowed is gone, so connections that lost bytes are reset. */
  mend(): Promise<void>;
  stop(): Promise<void>;
}

interface Link {
  readonly client: net.Socket;
  readonly server: net.Socket;
  hasLostBytes: boolean;
}

/**
 * In: the URL of the server to stand in front of, or those of several that take turns; each must name its port. One that
 * does not listen is passed over.
 */
export async function startFaultProxy(serverUrl: string, ...more: string[]): Promise<FaultProxy> {
  const targets = [serverUrl, ...more].map((url) => new URL(url));
  let turn = 0;
  const links = new Set<Link>();
  let swallowing: "nothing" | "everything" | "answers" = "nothing";

  const listener = net.createServer(async (client) => {
    client.on("error", () => undefined);
    turn += 1;
    const server = await connectToOne(
      targets.map((_, index) => targets[(turn + index) % targets.length] as URL),
    );
    if (server === null || client.destroyed) {
      client.resetAndDestroy();
      server?.destroy();
      return;
    }
    const link: Link = { client, server, hasLostBytes: false };
    links.add(link);
    join(link, client, server, () => swallowing !== "everything");
    join(link, server, client, () => swallowing === "nothing");
  });

  function join(link: Link, from: net.Socket, to: net.Socket, isOpen: () => boolean): void {
    from.on("data", (bytes) => {
      if (isOpen()) to.write(bytes);
      else link.hasLostBytes = true;
    });
    from.on("end", () => to.end());
    // What breaks on one side breaks on the other; the error itself says nothing that `close` does not.
    from.on("error", () => undefined);
    from.on("close", () => {
      links.delete(link);
      to.destroy();
    });
  }

  function reset(which: (link: Link) => boolean): void {
    for (const { client, server } of [...links].filter(which)) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  }

  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      listener.listen(port, "127.0.0.1", resolve);
    });
  const close = () =>
    new Promise<void>((resolve) => {
      listener.close(() => resolve());
      reset(() => true);
    });

  await listen(0);
  const { port } = listener.address() as AddressInfo;
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    cut: () => reset(() => true),
    refuse: close,
    swallow: (what = "everything") => {
      swallowing = what;
    },
    mend: async () => {
      swallowing = "nothing";
      reset((link) => link.hasLostBytes);
      if (!listener.listening) await listen(port);
    },
    stop: close,
  };
}

/** The first that accepts a connection, or null. */
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
