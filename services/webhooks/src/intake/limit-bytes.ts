/**
 * Limits how many bytes of messages are handled at a time; the broker's prefetch limits only their number. The returned function
 * starts `work` once its bytes fit, in the order of the calls. A message above the limit is handled by itself.
 */
export function limitBytes(bytesMax: number) {
  const waiting: { readonly bytes: number; readonly start: () => void }[] = [];
  let bytesInProgress = 0;

  function startNext(): void {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      if (bytesInProgress > 0 && bytesInProgress + next.bytes > bytesMax) return;
      waiting.shift();
      bytesInProgress += next.bytes;
      next.start();
    }
  }

  return async <Result>(bytes: number, work: () => Promise<Result>): Promise<Result> => {
    await new Promise<void>((start) => {
      waiting.push({ bytes, start });
      startNext();
    });
    try {
      return await work();
    } finally {
      bytesInProgress -= bytes;
      startNext();
    }
  };
}
