// A TCP proxy between a client and a real server that breaks the link on demand: the network's share of every test
// of what happens when a server goes away.
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

/** In: the URL of the server to stand in front of; it must name its port. */
export async function startFaultProxy(serverUrl: string): Promise<FaultProxy> {
  const target = new URL(serverUrl);
  const links = new Set<Link>();
  let swallowing: "nothing" | "everything" | "answers" = "nothing";

  const listener = net.createServer((client) => {
    const server = net.connect(Number(target.port), target.hostname);
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
