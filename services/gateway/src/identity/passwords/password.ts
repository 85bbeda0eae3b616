// Hashes passwords with scrypt. A hash includes its salt and parameters, which can be raised later. Users with the same e-mail
// share the salt, so that a sign-in tries them all with one hash.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { ApiError } from "@tradepost/http";
import type { CountLimited } from "../../limits/limits.ts";
import { type HashedFor, hashQueue } from "./hash-queue.ts";

// 32 MiB and three passes: OWASP's recommendation for scrypt with this much memory.
const COST = { N: 2 ** 15, r: 8, p: 3 };
const MEMORY_MAX = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

// Of libuv's four threads, two stay free. A full queue takes about 2 s; 10 s allow for a busy machine.
export const passwordQueue = hashQueue({ runningMax: 2, waitingMax: 16, waitMsMax: 10_000 });

export type HashCost = typeof COST;
export type Passwords = ReturnType<typeof passwords>;

/** Tests use a low cost. */
export function passwords(countLimited: CountLimited, cost = COST) {
  const inTurn = async (hashedFor: HashedFor, work: () => Promise<Buffer>): Promise<Buffer> => {
    try {
      return await passwordQueue.run(work, hashedFor);
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
  // So that an unknown e-mail takes as long as a wrong password.
  const ofUnknownUser = unmatchable();
  return {
    /** `scrypt$N$r$p$salt$hash`, with the salt of `like` if that has the same cost. Throws 429 if too many hashes are waiting. */
    hash: (password: string, hashedFor: HashedFor, like?: string) =>
      complete(startLike(like, cost), password, hashedFor),
    /** A hash for a user without a password; checking it takes as long. */
    unmatchable,
    /** Computes one hash, even if `stored` is empty; hashes with another salt than the first one's do not match. */
    match: async (password: string, stored: readonly string[], hashedFor: HashedFor) => {
      const start = startOf(stored[0] ?? ofUnknownUser);
      const actual = Buffer.from(await complete(start, password, hashedFor));
      const isEqual = (hash: Buffer) => hash.length === actual.length && timingSafeEqual(hash, actual);
      return stored.find((one) => isEqual(Buffer.from(one))) ?? null;
    },
  };
}

function startOf(stored: string): string {
  return stored.slice(0, stored.lastIndexOf("$") + 1);
}

function startLike(like: string | undefined, { N, r, p }: HashCost): string {
  const parameters = `scrypt$${N}$${r}$${p}$`;
  if (like?.startsWith(parameters)) return startOf(like);
  return `${parameters}${randomBytes(SALT_BYTES).toString("base64")}$`;
}
