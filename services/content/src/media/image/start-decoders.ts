// Decodes each image in a separate process with limits on memory and time. The bytes are untrusted and the decoders a million
// lines of C; whatever an image does to them ends with the process. The service does not even parse headers.
//
// The kernel limits a decoder's memory (`decoder.ts`). The decoder also reports its memory, which the service checks for systems
// without that limit and for all decoders together. A decoder has 30 s of processor time, 60 s of elapsed time and no secret in
// its environment, and exits with the service.
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { z } from "zod";
import { DECODER_BYTES_MAX, decoderToKill, type RunningDecoder } from "./image-limits.ts";
import type { Refusal, Variants } from "./make-variants.ts";
import { VARIANT_WIDTHS, variantNames } from "./variant.ts";

export type DecoderFailure = "memory" | "time" | "crash";

export type DecodeResult = Variants | Refusal | { readonly failure: DecoderFailure; readonly stderr: string };

/** Rejects if the process cannot be started, or with the signal's reason once that is aborted. */
export type Decode = (file: Buffer, signal: AbortSignal) => Promise<DecodeResult>;

const TIME_MS_MAX = 60_000;
const STDERR_CHARACTERS_MAX = 2_000;
// Twice the derivatives of the largest size, 1920 by 16383 pixels of noise.
const OUTPUT_BYTES_MAX = 48 * 1024 * 1024;
const HEAD_BYTES_MAX = 4_096;

// TypeScript in a checkout, JavaScript in the container image.
const PROGRAM = path.join(import.meta.dirname, `decoder${path.extname(import.meta.filename)}`);
// Neither the image's bytes nor libvips's memory are in the heap.
const FLAGS = ["--max-old-space-size=64", "--disable-warning=ExperimentalWarning"];
// One malloc arena and one worker thread.
const ENVIRONMENT = { PATH: "/usr/bin:/bin", MALLOC_ARENA_MAX: "1", UV_THREADPOOL_SIZE: "1" };

interface Decoder extends RunningDecoder {
  residentBytes: number;
  readonly kill: (failure: DecoderFailure) => void;
}

/** The decoders share a limit. Only tests set other limits. */
export function startDecoders(options: {
  pixelsMax: number;
  memoryBytesMax?: number;
  timeMsMax?: number;
}): Decode {
  const { pixelsMax, memoryBytesMax = DECODER_BYTES_MAX, timeMsMax = TIME_MS_MAX } = options;
  const decoders = new Set<Decoder>();

  return async (file, signal) => {
    signal.throwIfAborted();
    const child = spawn(process.execPath, [...FLAGS, PROGRAM, String(pixelsMax), String(memoryBytesMax)], {
      env: ENVIRONMENT,
      stdio: ["pipe", "pipe", "pipe", "ipc"],
    });
    let failure: DecoderFailure | undefined;
    const decoder: Decoder = {
      residentBytes: 0,
      kill: (reason) => {
        failure ??= reason;
        child.kill("SIGKILL");
      },
    };
    decoders.add(decoder);
    const timer = setTimeout(() => decoder.kill("time"), timeMsMax);
    const onAbort = () => child.kill("SIGKILL");
    signal.addEventListener("abort", onAbort, { once: true });
    child.on("message", (report) => {
      decoder.residentBytes = residentBytesIn(report);
      decoderToKill([...decoders])?.kill("memory");
    });
    try {
      const { code, endedBy, output, stderr } = await collectOutput(child, file, () => decoder.kill("crash"));
      signal.throwIfAborted();
      if (endedBy === "SIGXCPU") failure = "time";
      const decoded = code === 0 && failure === undefined ? readOutput(output) : null;
      return decoded ?? { failure: failure ?? "crash", stderr };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      decoders.delete(decoder);
    }
  };
}

function collectOutput(
  child: ChildProcess,
  file: Buffer,
  onTooMuch: () => void,
): Promise<{ code: number | null; endedBy: NodeJS.Signals | null; output: Buffer; stderr: string }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let outputBytes = 0;
    let stderr = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes > OUTPUT_BYTES_MAX) return onTooMuch();
      chunks.push(chunk);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-STDERR_CHARACTERS_MAX);
    });
    child.once("error", reject);
    child.once("close", (code, endedBy) => resolve({ code, endedBy, output: Buffer.concat(chunks), stderr }));
    // Writing fails if the process has exited, which `close` reports.
    child.stdin?.on("error", () => undefined).end(file);
  });
}

function residentBytesIn(report: unknown): number {
  const { residentBytes } = (report ?? {}) as { residentBytes?: unknown };
  return typeof residentBytes === "number" ? residentBytes : 0;
}

// The decoder's output is untrusted too.
const side = z.int().min(1).max(1_000_000_000);
const variant = z.strictObject({
  name: z.enum(variantNames),
  width: z.int().min(1).max(VARIANT_WIDTHS.large),
  height: z.int().min(1).max(65_535),
  contentType: z.literal("image/webp"),
  sizeBytes: z.int().min(1).max(OUTPUT_BYTES_MAX),
});
const head = z.union([
  z.strictObject({ failureReason: z.string().min(1).max(200) }),
  z.strictObject({ width: side, height: side, variants: z.array(variant).length(variantNames.length) }),
]);

function readOutput(output: Buffer): Variants | Refusal | null {
  const headEnd = output.subarray(0, HEAD_BYTES_MAX).indexOf("\n");
  if (headEnd === -1) return null;
  const parsed = head.safeParse(jsonIn(output.subarray(0, headEnd)));
  if (!parsed.success) return null;
  if ("failureReason" in parsed.data) return parsed.data;
  let offset = headEnd + 1;
  const variants = parsed.data.variants.map((one) => {
    const bytes = output.subarray(offset, offset + one.sizeBytes);
    offset += one.sizeBytes;
    return { variant: one, bytes };
  });
  return offset === output.length ? { ...parsed.data, variants } : null;
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}
