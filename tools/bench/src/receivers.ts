// Webhook receivers in a separate thread, so that the load generator does not delay them.
import { Worker } from "node:worker_threads";
import { receiverCertificate } from "@tradepost/devstack";
import type { Arrivals, WorkerData, WorkerMessage, WorkerRequest } from "./receivers-worker.ts";

export type Receivers = Awaited<ReturnType<typeof startReceivers>>;

/** Starts receivers with a certificate from the authority in the platform's directory, which the webhooks service trusts. */
export async function startReceivers(
  dataDir: string,
  /** Several endpoints may have the same address. */
  addresses: readonly string[],
  { hangs = false }: { hangs?: boolean } = {},
) {
  const tls = await receiverCertificate(dataDir, [...new Set(["localhost", ...addresses])]);
  const worker = new Worker(new URL("./receivers-worker.ts", import.meta.url), {
    workerData: { tls, addresses, hangs } satisfies WorkerData,
  });
  const nextMessage = <Kind extends WorkerMessage["kind"]>(kind: Kind) =>
    new Promise<Extract<WorkerMessage, { kind: Kind }>>((resolve, reject) => {
      const listen = (message: WorkerMessage) => {
        if (message.kind !== kind) return;
        worker.off("message", listen);
        worker.off("error", reject);
        resolve(message as Extract<WorkerMessage, { kind: Kind }>);
      };
      worker.on("message", listen);
      worker.once("error", reject);
    });
  const request = (message: WorkerRequest) => worker.postMessage(message);
  const { ports } = await nextMessage("listening");
  return {
    /** Their path `/hang` never responds. */
    urls: ports.map((port, index) => `https://${hostOf(addresses[index] as string)}:${port}`),
    expect: (count: number): Promise<Arrivals> => {
      const arrived = nextMessage("arrived");
      request({ expect: count });
      return arrived.then(({ arrivals }) => arrivals);
    },
    arrivals: (): Promise<Arrivals> => {
      const reported = nextMessage("reported");
      request("report");
      return reported.then(({ arrivals }) => arrivals);
    },
    /** Also resets the connections. */
    stop: async () => void (await worker.terminate()),
  };
}

function hostOf(address: string): string {
  return address === "127.0.0.1" ? "localhost" : address;
}

const ADDRESSES_PER_BLOCK = 250;

/**
 * Returns loopback addresses. On Linux, which accepts connections to all of 127.0.0.0/8, each address is different, also from the
 * addresses of other groups. Elsewhere the endpoints differ only in their ports.
 */
export function loopbackAddresses(group: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const block = Math.floor(index / ADDRESSES_PER_BLOCK);
    return process.platform === "linux"
      ? `127.${1 + group}.${block}.${1 + (index % ADDRESSES_PER_BLOCK)}`
      : "127.0.0.1";
  });
}
