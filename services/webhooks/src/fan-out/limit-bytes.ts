// Bounds how many bytes of messages are worked on at a time: the broker limits how many messages are in hand, not how large.

/**
 * In: the bound. Out: does a piece of work of a size once it fits, in the order of the calls. One that is larger than the
 * bound is done by itself.
 */
export function limitBytes(bytesMax: number) {
  const waiting: { readonly bytes: number; readonly start: () => void }[] = [];
  let bytesInWork = 0;

  function startNext(): void {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      if (bytesInWork > 0 && bytesInWork + next.bytes > bytesMax) return;
      waiting.shift();
      bytesInWork += next.bytes;
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
      bytesInWork -= bytes;
      startNext();
    }
  };
}
