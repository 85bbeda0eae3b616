// Bounds the wait for something that may never end, such as a storage that takes a request and says nothing more.

/** Rejects after so many ms. What was waited for goes on; nobody hears how it ends. */
export async function withDeadline<Result>(waitedFor: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([waitedFor, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
