/** A mistake of the program's user. The message says what to do instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
