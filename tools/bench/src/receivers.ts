// Webhook receivers in a separate thread, so that the load generator does not delay them.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { issueCertificate } from "@tradepost/testing";
import type { Arrivals, WorkerData, WorkerMessage, WorkerRequest } from "./receivers-worker.ts";

export interface Receivers {
  /** Its path `/hang` never responds. */
  readonly urls: readonly string[];
  readonly certificate: string;
  expect(count: number): Promise<Arrivals>;
  /** Also resets the connections. */
  stop(): Promise<void>;
}

/** Starts receivers with a certificate from the authority in the platform's directory, which the webhooks service trusts. */
export async function startReceivers(dataDir: string, count: number): Promise<Receivers> {
  const authority = path.join(dataDir, "ca/authority");
  const [certificate, key] = await Promise.all([
    readFile(`${authority}.crt`, "utf8"),
    readFile(`${authority}.key`, "utf8"),
  ]);
  const tls = await issueCertificate({ certificate, key }, ["localhost"]);
  const worker = new Worker(new URL("./receivers-worker.ts", import.meta.url), {
    workerData: { tls, count } satisfies WorkerData,
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
    urls: ports.map((port) => `https://localhost:${port}`),
    certificate,
    expect: (count) => {
      const arrived = nextMessage("arrived");
      request({ expect: count });
      return arrived.then(({ arrivals }) => arrivals);
    },
    stop: async () => void (await worker.terminate()),
  };
}
