// Decodes each image in a process of its own, within limits of memory and time: a stranger's bytes meet a million lines of
// C there, and whatever they do to it ends with it. The service never parses as much as their header.
//
// Limits. The kernel refuses the decoder more memory than its share (`limit-self`); what it reports of itself is watched
// besides, for systems without that limit and for all decoders together. It has 30 s of processor time, and twice that by
// the clock: a busy machine is not the image's fault. It has no environment, so no secret; it dies with the service.
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { DECODER_BYTES_MAX, type DecoderInHand, decoderToEnd } from "./image-limits.ts";
import type { Made, Refusal } from "./make-variants.ts";
import { OUTPUT_BYTES_MAX, readOutput } from "./read-output.ts";

/** Why a decoder ended without a result. */
export type Death = "memory" | "time" | "crash";

export type Decoded = Made | Refusal | { readonly death: Death; readonly said: string };

/** In: a whole file. Rejects where the process cannot be started, and with the signal's reason where that comes first. */
export type Decode = (file: Buffer, signal: AbortSignal) => Promise<Decoded>;

const TIME_MS_MAX = 60_000;
const STDERR_CHARACTERS_KEPT = 2_000;

// Beside this file, as TypeScript in a checkout and as JavaScript in the image.
const PROGRAM = path.join(import.meta.dirname, `decoder${path.extname(import.meta.filename)}`);
// The image's bytes and libvips's memory are not on this heap.
const FLAGS = ["--max-old-space-size=64", "--disable-warning=ExperimentalWarning"];
// One malloc arena and one thread for work: libvips is told to use one as well.
const ENVIRONMENT = { PATH: "/usr/bin:/bin", MALLOC_ARENA_MAX: "1", UV_THREADPOOL_SIZE: "1" };

interface Running extends DecoderInHand {
  residentBytes: number;
  readonly end: (death: Death) => void;
}

/** Out: decodes one image. The limits are for all that this function decodes together; only tests give others. */
export function startDecoders(options: {
  pixelsMax: number;
  memoryBytesMax?: number;
  timeMsMax?: number;
}): Decode {
  const { pixelsMax, memoryBytesMax = DECODER_BYTES_MAX, timeMsMax = TIME_MS_MAX } = options;
  const inHand = new Set<Running>();

  return async (file, signal) => {
    signal.throwIfAborted();
    const child = spawn(process.execPath, [...FLAGS, PROGRAM, String(pixelsMax), String(memoryBytesMax)], {
      env: ENVIRONMENT,
      stdio: ["pipe", "pipe", "pipe", "ipc"],
    });
    let death: Death | undefined;
    const running: Running = {
      residentBytes: 0,
      end: (why) => {
        death ??= why;
        child.kill("SIGKILL");
      },
    };
    inHand.add(running);
    const timer = setTimeout(() => running.end("time"), timeMsMax);
    const onAbort = () => child.kill("SIGKILL");
    signal.addEventListener("abort", onAbort, { once: true });
    child.on("message", (report) => {
      running.residentBytes = residentBytesIn(report);
      decoderToEnd([...inHand])?.end("memory");
    });
    try {
      const { code, endedBy, output, said } = await exchange(child, file, () => running.end("crash"));
      signal.throwIfAborted();
      if (endedBy === "SIGXCPU") death = "time";
      const decoded = code === 0 && death === undefined ? readOutput(output) : null;
      return decoded ?? { death: death ?? "crash", said };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      inHand.delete(running);
    }
  };
}

/** Resolves when the process has ended, with what it wrote; rejects where it could not be started. */
function exchange(
  child: ChildProcess,
  file: Buffer,
  onTooMuch: () => void,
): Promise<{ code: number | null; endedBy: NodeJS.Signals | null; output: Buffer; said: string }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let outputBytes = 0;
    let said = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes > OUTPUT_BYTES_MAX) return onTooMuch();
      chunks.push(chunk);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-STDERR_CHARACTERS_KEPT);
    });
    child.once("error", reject);
    child.once("close", (code, endedBy) => resolve({ code, endedBy, output: Buffer.concat(chunks), said }));
    // One that has ended takes nothing more, which its exit tells better.
    child.stdin?.on("error", () => undefined).end(file);
  });
}

function residentBytesIn(report: unknown): number {
  const { residentBytes } = (report ?? {}) as { residentBytes?: unknown };
  return typeof residentBytes === "number" ? residentBytes : 0;
}
