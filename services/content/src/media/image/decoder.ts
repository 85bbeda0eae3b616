// The program of a decoder process: reads an image from standard input, writes its derivatives to standard output, and exits.
// It imports little, because every image waits for its start, and limits itself before it reads any untrusted byte.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { makeVariants } from "./make-variants.ts";

const REPORT_EVERY_MS = 50;
// SIGXCPU at 30 s, by which `start-decoders.ts` recognises the cause; SIGKILL at 35 s.
const CPU_SECONDS = "30:35";

const [pixelsMax = 0, memoryBytesMax = 0] = process.argv.slice(2).map(Number);

// The service has exited. A normal exit would wait for libvips's threads.
const onDisconnect = () => process.kill(process.pid, "SIGKILL");
process.once("disconnect", onDisconnect);

limitResources(memoryBytesMax);
const reporting = setInterval(
  () => process.send?.({ residentBytes: process.memoryUsage.rss() }),
  REPORT_EVERY_MS,
);

const result = await makeVariants(await buffer(process.stdin), pixelsMax);
// The output that `readOutput` reads: a line of JSON, then the files that it lists.
const files = "variants" in result ? result.variants.map(({ bytes }) => bytes) : [];
const head =
  "variants" in result ? { ...result, variants: result.variants.map(({ variant }) => variant) } : result;
process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...files]));

clearInterval(reporting);
process.off("disconnect", onDisconnect);
process.disconnect();

/**
 * On Linux only. Without `prlimit`, the service watches memory and time, which reacts later. The memory limit counts from here,
 * because V8 has reserved half a gigabyte that it does not use. The process cannot write files or leave a core dump, and if memory
 * runs out, the kernel kills it before the service.
 */
function limitResources(memoryBytesMax: number): void {
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
  } catch {}
}

function writableBytes(): number {
  const [, kibibytes] = /^VmData:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  if (kibibytes === undefined) throw new Error("/proc/self/status has no VmData");
  return Number(kibibytes) * 1024;
}
