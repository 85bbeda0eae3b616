// Builds the dashboard's files for a gateway on this machine.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../settings/root.ts";
import { buildOnce } from "./build-once.ts";

const PROJECT = path.join(ROOT, "services/dashboard");
const VITE = path.join(PROJECT, "node_modules/vite/bin/vite.js");

const SOURCES = [
  path.join(PROJECT, "src"),
  path.join(PROJECT, "index.html"),
  path.join(PROJECT, "vite.config.ts"),
  path.join(ROOT, "packages/client/src/generated/operations.ts"),
  path.join(ROOT, "docs/receivers"),
  path.join(ROOT, "pnpm-lock.yaml"),
];

/** Resolves to the directory for DASHBOARD_DIR. */
export function buildDashboard(log: (line: string) => void = () => {}): Promise<string> {
  return buildOnce({
    name: "dashboard",
    sources: SOURCES,
    build: async (directory) => {
      log("Building the dashboard …");
      const args = [VITE, "build", "--outDir", directory, "--emptyOutDir", "--logLevel", "warn"];
      // Set explicitly, because tests have another NODE_ENV.
      const env = { ...process.env, NODE_ENV: "production" };
      await promisify(execFile)(process.execPath, args, { cwd: PROJECT, env });
    },
  });
}
