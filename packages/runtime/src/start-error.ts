/**
 * Thrown when a program cannot start until a person has changed something. The message says in one sentence what to change, without
 * a secret; it is printed without a stack, and the program exits with 1.
 */
export class StartError extends Error {
  override readonly name = "StartError";
}
