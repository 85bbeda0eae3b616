// Has the kernel hold the decoder's process to its limits, before it sees a stranger's byte.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

// An orderly end first, by which `run-decoder` tells the cause; then one that cannot be ignored.
const CPU_SECONDS = "30:35";

/**
 * Linux only: elsewhere, and where there is no `prlimit`, the reports of `decoder.ts` and a clock do the same less promptly.
 * Memory is limited from here on, since V8 has reserved half a gigabyte that it does not use. It can write no file and leave no core,
 * and if the machine runs out of memory it dies before the service does.
 */
export function limitSelf(memoryBytesMax: number): void {
  if (process.platform !== "linux") return;
  try {
    const grantedBytes = Math.max(0, memoryBytesMax - process.memoryUsage.rss());
    const limits = [
      `--data=${writableBytes() + grantedBytes}`,
      "--core=0",
      "--fsize=0",
      `--cpu=${CPU_SECONDS}`,
    ];
    execFileSync("prlimit", [`--pid=${process.pid}`, ...limits], { stdio: "ignore" });
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // A system without prlimit, or one that hides /proc.
  }
}

/** What RLIMIT_DATA counts. */
function writableBytes(): number {
  const [, kibibytes] = /^VmData:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  if (kibibytes === undefined) throw new Error("/proc/self/status does not tell VmData");
  return Number(kibibytes) * 1024;
}
