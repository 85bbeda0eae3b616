/**
 * Thrown when a program cannot start until a person has changed something. The message is one sentence that says what, without
 * a secret; it is printed without a stack, and the program exits with 1.
 */
export class StartError extends Error {
  override readonly name = "StartError";
}
