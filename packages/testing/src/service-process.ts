import { spawn } from "node:child_process";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

export type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>;

/** Runs a service's `main.ts` on a free port until it is ready. `env` has all settings except PORT and DRAIN_IDLE_MS. */
export async function startServiceProcess(
  main: string,
  { cwd, env, nodeFlags = [] }: { cwd?: string; env: NodeJS.ProcessEnv; nodeFlags?: readonly string[] },
) {
  const port = await freePort();
  const flags = [...nodeFlags, "--conditions=source", "--disable-warning=ExperimentalWarning"];
  // The service does not compile its source again, and records its responses after comparing them with the API description.
  const { NODE_COMPILE_CACHE, TRADEPOST_RESPONSES_FILE } = process.env;
  const inherited = { NODE_COMPILE_CACHE, TRADEPOST_RESPONSES_FILE };
  const child = spawn(process.execPath, [...flags, main], {
    cwd,
    env: { ...inherited, ...env, PORT: String(port), DRAIN_IDLE_MS: "0" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const { pid } = child;
  if (pid === undefined) throw new Error(`${main} could not be started`);
  /** Resolves with the exit code; null if a signal ended the process. */
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return await ended;
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await until(`${main} to be ready`, () => isReady(url));
  } catch (error) {
    await kill("SIGKILL");
    throw error;
  }
  return { url, port, pid, kill };
}

async function isReady(url: string): Promise<boolean> {
  return await fetch(`${url}/readyz`).then(
    // Without the broker, a service serves requests, but its queues may not exist yet.
    async (response) => response.status === 200 && !("degraded" in ((await response.json()) as object)),
    () => false,
  );
}
