// The receivers of webhooks, in a thread of their own beside whoever sends.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { issueCertificate } from "@tradepost/testing";
import type { Arrivals, SupervisorEvents } from "./receivers-worker.ts";

export interface Receivers {
  /** One for each endpoint; `/hang` behind it never answers. */
  readonly urls: readonly string[];
  readonly certificate: string;
  /** Forgets what came, and resolves when so many have come. */
  expect(count: number): Promise<Arrivals>;
  stop(): Promise<void>;
}

/** In: a platform's directory, whose authority the webhooks service trusts, and how many endpoints there are. */
export async function startReceivers(dataDir: string, endpoints: number): Promise<Receivers> {
  const authority = path.join(dataDir, "ca/authority");
  const [certificate, key] = await Promise.all([
    readFile(`${authority}.crt`, "utf8"),
    readFile(`${authority}.key`, "utf8"),
  ]);
  const tls = await issueCertificate({ certificate, key }, ["localhost", "127.0.0.1"]);
  const worker = new Worker(new URL("./receivers-worker.ts", import.meta.url), {
    workerData: { tls, endpoints },
  });
  const heard = <Kind extends SupervisorEvents["kind"]>(kind: Kind) =>
    new Promise<Extract<SupervisorEvents, { kind: Kind }>>((resolve, reject) => {
      const listen = (told: SupervisorEvents) => {
        if (told.kind !== kind) return;
        worker.off("message", listen);
        worker.off("error", reject);
        resolve(told as Extract<SupervisorEvents, { kind: Kind }>);
      };
      worker.on("message", listen);
      worker.once("error", reject);
    });
  const { ports } = await heard("listening");
  return {
    urls: ports.map((port) => `https://localhost:${port}`),
    certificate,
    expect: (count) => {
      const arrived = heard("arrived");
      worker.postMessage(count);
      return arrived.then(({ arrivals }) => arrivals);
    },
    stop: async () => void (await worker.terminate()),
  };
}
