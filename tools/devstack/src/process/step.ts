/** Prints that the work begins, and how long it took. */
export async function step<Result>(
  log: (line: string) => void,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  log(`${name} …`);
  const result = await work();
  log(`  ${name}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  return result;
}

/** Prints lines. In a terminal, the seconds since the first line tick below the last one, until `stopTicking`. */
export function tickingLog() {
  const startedAt = performance.now();
  const { stdout } = process;
  const clear = () => void (stdout.isTTY && stdout.write("\r\x1b[K"));
  const tick = () => stdout.write(`\r${Math.round((performance.now() - startedAt) / 1_000)} s `);
  const timer = stdout.isTTY ? setInterval(tick, 1_000) : undefined;
  return {
    log: (line: string) => {
      clear();
      console.log(line);
    },
    stopTicking: () => {
      clearInterval(timer);
      clear();
    },
  };
}
