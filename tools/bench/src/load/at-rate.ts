// Calls a function at a fixed rate, however long each call takes.
import { sleep } from "@tradepost/runtime";

/** Resolves to the outcomes after all calls. Rejects if one call rejects. */
export async function atRate<Outcome>(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  run: (index: number) => Promise<Outcome>,
): Promise<Outcome[]> {
  const startedAt = performance.now();
  const running: Promise<Outcome>[] = [];
  for (let index = 0; index < Math.round(perSecond * seconds); index += 1) {
    const dueIn = startedAt + (index / perSecond) * 1_000 - performance.now();
    if (dueIn > 0) await sleep(dueIn);
    running.push(run(index));
  }
  return await Promise.all(running);
}
