// Finds Prometheus and its promtool: installed ones, or on Debian and its derivatives the distribution's package, unpacked into
// a cache. That needs no rights and installs nothing.
import { existsSync, lstatSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { unpackedPackages } from "../debian/debian-packages.ts";

export interface PrometheusPrograms {
  readonly prometheus: string;
  readonly promtool: string;
  /** The directory of the pages of Debian's Prometheus; undefined if the program finds them itself. */
  readonly assets: string | undefined;
}

const DIRECTORIES = ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"];
const ASSETS = "usr/share/prometheus/web";

/**
 * Resolves to undefined if Prometheus is neither installed nor available as a package. The first call downloads 23 MB. Rejects
 * when the packages cannot be fetched.
 */
export async function findPrometheus(log: (line: string) => void): Promise<PrometheusPrograms | undefined> {
  const installed = DIRECTORIES.find((directory) =>
    ["prometheus", "promtool"].every((name) => existsSync(path.join(directory, name))),
  );
  if (installed !== undefined) return programsIn(installed, undefined);
  const found = await unpackedPackages(
    { name: "prometheus", install: "prometheus", finish: linkInstalledScripts },
    log,
  );
  return found && programsIn(path.join(found.tree, "usr/bin"), path.join(found.tree, ASSETS));
}

function programsIn(directory: string, assets: string | undefined): PrometheusPrograms {
  return {
    prometheus: path.join(directory, "prometheus"),
    promtool: path.join(directory, "promtool"),
    assets,
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
