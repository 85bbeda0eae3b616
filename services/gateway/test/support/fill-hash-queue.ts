import { knownAs } from "../../src/identity/passwords/hash-queue.ts";
import { passwordQueue } from "../../src/identity/passwords/password.ts";

// Two run and 16 wait.
const FULL = 18;

/** Fills the process's queue of password hashes until `drain` is called. With a `count` of 2, other hashes can wait, but none runs. */
export function fillHashQueue(count = FULL) {
  const { promise: drained, resolve } = Promise.withResolvers<void>();
  const hashes = Array.from({ length: count }, (_, index) =>
    passwordQueue.run(() => drained, knownAs({ id: String(index), tenantId: String(index) })),
  );
  return {
    drain: async () => {
      resolve();
      // On a slow machine some have waited too long.
      await Promise.allSettled(hashes);
    },
  };
}
