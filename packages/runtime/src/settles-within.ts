// Bounds a wait for something outside the process, such as a broker's farewell, that may never come.

/** Resolves with true once the promise is settled either way, or with false after `ms`; never rejects. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    const settled = promise.then(
      () => true,
      () => true,
    );
    return await Promise.race([settled, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
