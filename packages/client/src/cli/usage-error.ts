/** A mistake of the person at the keyboard; its message says what to do instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
