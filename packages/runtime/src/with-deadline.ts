/** Rejects with `message` after `ms`. The operation itself continues, and its result is ignored. */
export async function withDeadline<Result>(
  operation: Promise<Result>,
  ms: number,
  message: string,
): Promise<Result> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(new Error(message)), ms);
  try {
    return await Promise.race([operation, deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}
