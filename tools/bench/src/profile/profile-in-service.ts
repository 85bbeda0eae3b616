// Loaded before a service with `--profile`: records a CPU profile while the file `.profiling` exists, and writes it when the file
// is removed. SIGUSR2 makes the service check for the file.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import path from "node:path";
import { isMainThread } from "node:worker_threads";

const directory = process.env.TRADEPOST_PROFILE_DIR ?? "";
const flag = path.join(directory, ".profiling");
const service = path.basename(process.cwd());
let current: { readonly name: string; readonly session: Session } | undefined;

if (isMainThread) {
  process.on("SIGUSR2", () => void look());
  await look();
}

async function look(): Promise<void> {
  if (current === undefined && existsSync(flag)) {
    current = { name: readFileSync(flag, "utf8"), session: await startProfile() };
  } else if (current !== undefined && !existsSync(flag)) {
    const { name, session } = current;
    current = undefined;
    const { profile } = await session.post("Profiler.stop");
    session.disconnect();
    const file = path.join(directory, `${name}-${service}.cpuprofile`);
    writeFileSync(`${file}.incomplete`, JSON.stringify(profile));
    renameSync(`${file}.incomplete`, file);
  }
}

async function startProfile(): Promise<Session> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.start");
  return session;
}
