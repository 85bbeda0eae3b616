// Restarts services of the running platform, as a deployment or a crash would. `npm start` starts ended processes again.
import { until } from "@tradepost/testing";
import { print } from "../print.ts";
import { readPlatformFile } from "../read-platform-file.ts";

/** The signal for each service: SIGTERM lets it finish its requests, SIGKILL does not. */
export type Restart = Readonly<Record<string, "SIGTERM" | "SIGKILL">>;

/** Ends the processes. Resolves when new ones are ready in their place. */
export async function restartServices(restart: Restart): Promise<void> {
  await Promise.all(
    Object.entries(restart).map(async ([service, signal]) => {
      const before = pidOf(service);
      if (before === null) throw new Error(`${service} is not running`);
      print(`   ${signal} to ${service} (pid ${before})`);
      process.kill(before, signal);
      await until(`${service} to be running again`, async () => {
        const after = pidOf(service);
        return after !== null && after !== before && (await isReady(service));
      });
    }),
  );
}

function pidOf(service: string): number | null {
  return readPlatformFile().processes[service]?.[0]?.pid ?? null;
}

async function isReady(service: string): Promise<boolean> {
  const url = readPlatformFile().processes[service]?.[0]?.url;
  return await fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
