/** Resolves with true when the promise has resolved or rejected, or with false after `ms`. It never rejects. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => timeout.resolve(false), ms);
  try {
    const settled = promise.then(
      () => true,
      () => true,
    );
    return await Promise.race([settled, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
