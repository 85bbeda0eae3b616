// Sets the kernel's limits for the decoder process, before it reads any untrusted byte.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

// At 30 s the kernel sends SIGXCPU, by which `start-decoders.ts` recognises the cause; at 35 s, SIGKILL.
const CPU_SECONDS = "30:35";

/**
 * Linux only. On other systems, and without `prlimit`, the service watches the memory that `decoder.ts` reports, and the
 * time, which reacts later. The memory limit counts from here, because V8 has already reserved half a gigabyte that it does
 * not use. The process cannot write files or leave a core dump. If the machine runs out of memory, the kernel kills it
 * before the service.
 */
export function limitResources(memoryBytesMax: number): void {
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

/** The memory that RLIMIT_DATA counts. */
function writableBytes(): number {
  const [, kibibytes] = /^VmData:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  if (kibibytes === undefined) throw new Error("/proc/self/status has no VmData");
  return Number(kibibytes) * 1024;
}
