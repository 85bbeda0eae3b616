// Prepares a private Prometheus below a data directory, with the rules of deploy/observability. It listens on 127.0.0.1 only.
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { installedProgram, unpackedPackages } from "../debian/debian-packages.ts";
import { endOrphan } from "../process/orphans.ts";
import { claimPorts } from "../process/ports.ts";
import { type Program, serverProgram } from "../process/program.ts";
import { ROOT } from "../settings/root.ts";

/** An address to scrape: the URL of a process, without `/metrics`. */
interface ScrapeTarget {
  readonly service: string;
  readonly url: string;
}

const CONFIGURATION = path.join(ROOT, "deploy/observability");
// The rules need only the last six hours.
const KEPT = "15d";

/** Downloads Prometheus the first time. Rejects with a sentence if it is not available. */
export async function preparePrometheus(options: { dataDir: string; log: (line: string) => void }) {
  const programs = await findPrometheus(options.log);
  if (programs === undefined) {
    throw new Error(
      "Prometheus is not available: install it with its promtool, or start without --observability.",
    );
  }
  const directory = path.join(options.dataDir, "prometheus");
  mkdirSync(path.join(directory, "data"), { recursive: true, mode: 0o700 });
  await endOrphan(path.join(directory, "prometheus.pid"), "SIGTERM", 10_000);
  const { prometheus: port } = await claimPorts(path.join(directory, "ports.json"), ["prometheus"]);
  copyConfiguration(directory);
  return {
    url: `http://127.0.0.1:${port}`,
    scrape: (targets: readonly ScrapeTarget[]) => writeTargets(directory, targets),
    program: prometheus(programs, directory, port),
  };
}

/** Copies the configuration, so that this server has its own targets, and a rule can be tried out in the copy. */
function copyConfiguration(directory: string): void {
  for (const name of ["rules", "targets"])
    rmSync(path.join(directory, name), { recursive: true, force: true });
  for (const name of ["prometheus.yml", "rules"]) {
    cpSync(path.join(CONFIGURATION, name), path.join(directory, name), { recursive: true });
  }
  mkdirSync(path.join(directory, "targets"));
}

function writeTargets(directory: string, targets: readonly ScrapeTarget[]): void {
  const groups = targets.map(({ service, url }) => ({ targets: [new URL(url).host], labels: { service } }));
  writeFileSync(path.join(directory, "targets/services.json"), JSON.stringify(groups, null, 2));
}

function prometheus({ prometheus, assets }: PrometheusPrograms, directory: string, port: number): Program {
  const url = `http://127.0.0.1:${port}`;
  const options = {
    command: prometheus,
    args: [
      "--config.file=prometheus.yml",
      "--storage.tsdb.path=data",
      `--storage.tsdb.retention.time=${KEPT}`,
      `--web.listen-address=127.0.0.1:${port}`,
      // Pages of other origins must not read it.
      "--web.cors.origin=$^",
      ...(assets === undefined ? [] : [`--web.local-assets=${assets}`]),
    ],
    ...{ env: {}, stopSignal: "SIGTERM" as const, stopTimeoutMs: 10_000 },
  };
  const ready = { title: "Prometheus", timeoutMs: 60_000, isReady: () => isReady(url) };
  return serverProgram(directory, "prometheus", options, ready);
}

async function isReady(url: string): Promise<boolean> {
  return await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

type PrometheusPrograms = NonNullable<Awaited<ReturnType<typeof findPrometheus>>>;

const ASSETS = "usr/share/prometheus/web";

/**
 * Resolves to undefined if Prometheus is neither installed nor available as a package. The first call downloads 23 MB. Rejects
 * when the packages cannot be fetched.
 */
export async function findPrometheus(log: (line: string) => void) {
  const [prometheus, promtool] = [installedProgram("prometheus"), installedProgram("promtool")];
  if (prometheus !== undefined && promtool !== undefined) return { prometheus, promtool, assets: undefined };
  const found = await unpackedPackages(
    { name: "prometheus", install: "prometheus", finish: linkInstalledScripts },
    log,
  );
  if (found === undefined) return undefined;
  const unpacked = (file: string) => path.join(found.tree, file);
  return {
    prometheus: unpacked("usr/bin/prometheus"),
    promtool: unpacked("usr/bin/promtool"),
    // The pages of Debian's Prometheus. Another one finds its own.
    assets: unpacked(ASSETS),
  };
}

/** Links the scripts that the pages use but that belong to other packages. The ones that the system has are not unpacked. */
function linkInstalledScripts(tree: string): void {
  const folder = path.join(tree, ASSETS, "static");
  for (const name of readdirSync(folder)) {
    const link = path.join(folder, name);
    if (!lstatSync(link).isSymbolicLink() || existsSync(link)) continue;
    const installed = path.resolve("/", ASSETS, "static", readlinkSync(link));
    rmSync(link);
    symlinkSync(installed, link);
  }
}
