// Bounds the wait for an operation that may never end, such as a request to a storage that never responds.

/** Rejects after `ms`. The operation itself goes on, and its result is ignored. */
export async function withDeadline<Result>(operation: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no result after ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([operation, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
