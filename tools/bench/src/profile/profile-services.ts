// `--profile DIR`: writes a CPU profile of each service for each run, to open in the developer tools of Chrome.
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Platform, SERVICES } from "@tradepost/devstack";
import { until } from "@tradepost/testing";
import type { Probe } from "../observe.ts";

const PRELOAD = pathToFileURL(path.join(import.meta.dirname, "profile-in-service.ts")).href;

export function profileEnvironment(directory: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=${PRELOAD}`, TRADEPOST_PROFILE_DIR: path.resolve(directory) };
}

/** If a service is killed and restarted during a run, it is profiled from the restart. */
export function profileServices(platform: Platform, directory: string, bench: string): Probe {
  const flag = path.join(directory, ".profiling");
  const written = new Set<string>();
  const nameOf = (label: string) => [bench, label].filter(Boolean).join("-").replaceAll(" ", "-");
  const filesOf = (label: string) =>
    SERVICES.map((service) => path.join(directory, `${nameOf(label)}-${service}.cpuprofile`));
  const signalAll = () => {
    for (const service of SERVICES) process.kill(platform.pid(service) as number, "SIGUSR2");
  };
  return {
    start: async (label) => {
      await mkdir(directory, { recursive: true });
      for (const file of filesOf(label)) await rm(file, { force: true });
      await writeFile(flag, nameOf(label));
      signalAll();
    },
    stop: async (label) => {
      await rm(flag);
      signalAll();
      await until("the profiles", () => filesOf(label).every((file) => existsSync(file)));
      written.add(path.join(directory, `${nameOf(label)}-*.cpuprofile`));
    },
    report: () => [...written].map((files) => `profiles: ${files}`),
  };
}
