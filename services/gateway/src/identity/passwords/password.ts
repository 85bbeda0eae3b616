// Hashes and verifies passwords with scrypt. A hash includes its parameters, so that they can be raised later, and a salt, which is
// shared only by users with the same e-mail, so that a sign-in tries them all with one hash.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { ApiError } from "@tradepost/http";
import type { CountLimited } from "../../limits/limits.ts";
import { type HashedFor, hashQueue } from "./hash-queue.ts";

/** The parameters of scrypt. */
export interface HashCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

// 32 MiB and three passes: OWASP's recommendation for scrypt with this much memory.
const COST: HashCost = { N: 2 ** 15, r: 8, p: 3 };
const MEMORY_MAX = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

// One queue for the whole process, because libuv's four threads belong to the process: two hashes leave two threads free.
// A hash takes 0.1 to 0.2 s, so a full queue takes about 2 s. 10 s allows for a busy machine.
const queue = hashQueue({ runningMax: 2, waitingMax: 16, waitMsMax: 10_000 });

export interface Passwords {
  /**
   * Resolves with `scrypt$N$r$p$salt$hash`. It shares the salt of the stored hash `like`, if there is one of the same cost. Throws
   * 429 if too many hashes are waiting.
   */
  hash(password: string, hashedFor: HashedFor, like?: string): Promise<string>;
  /** A hash of no known password, for a user who has not set one. Checking it takes as long as checking any other. */
  unmatchable(like?: string): string;
  /**
   * Resolves with the stored hash of the password, or null. Computes one hash, even if `stored` is empty: only those that share
   * the salt of the first one are compared. Throws 429 if too many hashes are waiting.
   */
  match(password: string, stored: readonly string[], hashedFor: HashedFor): Promise<string | null>;
}

/** `countLimited` counts the hashes that the queue refuses. Tests use a low cost. */
export function passwords(countLimited: CountLimited, cost = COST): Passwords {
  const inTurn = async (hashedFor: HashedFor, work: () => Promise<Buffer>): Promise<Buffer> => {
    try {
      return await queue.run(work, hashedFor);
    } catch (error) {
      if (error instanceof ApiError) countLimited("password_hash");
      throw error;
    }
  };
  const complete = async (start: string, password: string, hashedFor: HashedFor): Promise<string> => {
    const [, n, r, p, salt = ""] = start.split("$");
    const options = { N: Number(n), r: Number(r), p: Number(p), maxmem: MEMORY_MAX };
    const hash = await inTurn(hashedFor, () =>
      derive(password.normalize("NFKC"), Buffer.from(salt, "base64"), HASH_BYTES, options),
    );
    return `${start}${hash.toString("base64")}`;
  };
  const unmatchable = (like?: string) =>
    `${startLike(like, cost)}${randomBytes(HASH_BYTES).toString("base64")}`;
  // Compared if the e-mail is unknown, so that the response takes as long as for a wrong password.
  const ofUnknownUser = unmatchable();
  return {
    hash: (password, hashedFor, like) => complete(startLike(like, cost), password, hashedFor),
    unmatchable,
    match: async (password, stored, hashedFor) => {
      const start = startOf(stored[0] ?? ofUnknownUser);
      const actual = Buffer.from(await complete(start, password, hashedFor));
      const isEqual = (hash: Buffer) => hash.length === actual.length && timingSafeEqual(hash, actual);
      return stored.find((one) => isEqual(Buffer.from(one))) ?? null;
    },
  };
}

/** The parameters and the salt of a stored hash. */
function startOf(stored: string): string {
  return stored.slice(0, stored.lastIndexOf("$") + 1);
}

function startLike(like: string | undefined, { N, r, p }: HashCost): string {
  const parameters = `scrypt$${N}$${r}$${p}$`;
  if (like?.startsWith(parameters)) return startOf(like);
  return `${parameters}${randomBytes(SALT_BYTES).toString("base64")}$`;
}
