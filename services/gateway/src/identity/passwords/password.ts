// Hashes and verifies passwords with scrypt. Each hash has its own salt and includes its parameters, so that they can be
// raised later.
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
const HASH_BYTES = 32;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

// One queue for the whole process, because libuv's four threads belong to the process: two hashes leave two threads free.
// A hash takes 0.1 to 0.2 s, so a full queue takes about 2 s. 10 s allows for a busy machine.
const queue = hashQueue({ runningMax: 2, waitingMax: 16, waitMsMax: 10_000 });

export interface Passwords {
  /** Resolves with `scrypt$N$r$p$salt$hash`. Throws 429 if too many hashes are waiting. */
  hash(password: string, hashedFor: HashedFor): Promise<string>;
  /** A hash of no known password, for a user who has not set one. Checking it takes as long as checking any other. */
  unmatchable(): string;
  /**
   * `stored` is the user's hash, or null for an unknown user, which takes the same time. Throws 429 if too many hashes are
   * waiting.
   */
  verify(password: string, stored: string | null, hashedFor: HashedFor): Promise<boolean>;
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
  const unmatchable = () => encode(cost, randomBytes(16), randomBytes(HASH_BYTES));
  // Compared if the e-mail is unknown, so that the response takes as long as for a wrong password.
  const ofUnknownUser = unmatchable();
  return {
    hash: async (password, hashedFor) => {
      const salt = randomBytes(16);
      const options = { ...cost, maxmem: MEMORY_MAX };
      const hash = await inTurn(hashedFor, () =>
        derive(password.normalize("NFKC"), salt, HASH_BYTES, options),
      );
      return encode(cost, salt, hash);
    },
    unmatchable,
    verify: async (password, stored, hashedFor) => {
      const [, n, r, p, salt = "", hash = ""] = (stored ?? ofUnknownUser).split("$");
      const options = { N: Number(n), r: Number(r), p: Number(p), maxmem: MEMORY_MAX };
      const expected = Buffer.from(hash, "base64");
      const actual = await inTurn(hashedFor, () =>
        derive(password.normalize("NFKC"), Buffer.from(salt, "base64"), expected.length, options),
      );
      return timingSafeEqual(actual, expected) && stored !== null;
    },
  };
}

function encode({ N, r, p }: HashCost, salt: Buffer, hash: Buffer): string {
  return ["scrypt", N, r, p, salt.toString("base64"), hash.toString("base64")].join("$");
}
