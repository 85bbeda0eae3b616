// Writes the lines of a log to a file descriptor, without making the service wait or fail.
//
// Guarantees. While the descriptor accepts no bytes (its disk is full or its pipe is not read), lines are kept up to a limit.
// Further lines are dropped and counted; the kept ones are written in order once it accepts bytes again. Nothing throws.
import fs from "node:fs";

// A write per line would double the cost of a small request.
const WRITE_AT_LENGTH = 8 * 1024;
const KEPT_LENGTH_MAX = 8 * 1024 * 1024;
const RETRY_MS = 200;
const STALLED_AFTER_MS = 1_000;

export interface LogOutput {
  write(line: string): void;
  flush(): void;
}

/** Writes lines, also when the process exits. `onDropped` gets the number of dropped lines once there is room again. */
export function logOutput(fd: number, onDropped: (lines: number) => void): LogOutput {
  let kept = "";
  let dropped = 0;
  let startedAt: number | undefined;
  let unwritten: Buffer | undefined;
  let flushesNext = false;

  function flush(): void {
    flushesNext = startedAt !== undefined || unwritten !== undefined;
    if (flushesNext || kept === "") return;
    const bytes = Buffer.from(kept);
    kept = "";
    writeAll(bytes);
  }

  function writeAll(bytes: Buffer): void {
    unwritten = undefined;
    startedAt = performance.now();
    fs.write(fd, bytes, (error, count) => {
      startedAt = undefined;
      if (error !== null) {
        unwritten = bytes;
        setTimeout(writeAll, RETRY_MS, bytes).unref();
      } else if (count < bytes.length) {
        writeAll(bytes.subarray(count));
      } else {
        if (flushesNext) flush();
        // Reports after the flush, so that there is room for the line of the report.
        report();
      }
    });
  }

  function report(): void {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    onDropped(lines);
  }

  process.on("exit", () => {
    if (startedAt !== undefined && performance.now() - startedAt > STALLED_AFTER_MS) endByForce();
    writeAtExit(fd, Buffer.concat([unwritten ?? Buffer.alloc(0), Buffer.from(kept)]));
  });

  return {
    write: (line) => {
      if (kept.length + line.length > KEPT_LENGTH_MAX) {
        dropped += 1;
        return;
      }
      kept += line;
      if (kept.length >= WRITE_AT_LENGTH) flush();
    },
    flush,
  };
}

/** An exit would wait for a stalled write. */
function endByForce(): void {
  process.removeAllListeners("SIGTERM");
  process.kill(process.pid, "SIGTERM");
}

function writeAtExit(fd: number, bytes: Buffer): void {
  try {
    for (let written = 0; written < bytes.length; ) written += fs.writeSync(fd, bytes, written);
  } catch {
    // There is nowhere to report the error.
  }
}
