// Passwords: scrypt with a salt each, the parameters written beside the hash so that they can be raised later.
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { hashQueue } from "./hash-queue.ts";

// 32 MiB and three passes: OWASP's recommendation for scrypt at this memory.
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const HASH_BYTES = 32;

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

// One queue for the process, because libuv's threads belong to the process: two hashes leave two of the four threads free.
// A hash takes 0.1 to 0.2 s, so a full queue is worked off in about 2 s; a busy machine gets five times that.
const queue = hashQueue({ runningMax: 2, waitingMax: 16, waitMsMax: 10_000 });

/** Out: `scrypt$N$r$p$salt$hash`. Throws 429 if too many hashes are waiting. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  // Whoever sets a password is signed in.
  const hash = await queue.run(() => derive(password.normalize("NFKC"), salt, HASH_BYTES, COST), true);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), hash.toString("base64")].join("$");
}

// The hash of a password that nobody has: an unknown e-mail must take as long as a wrong password.
const NOBODYS_HASH = await hashPassword(randomBytes(16).toString("hex"));

/**
 * In: the password, the stored hash, or null for an unknown user, and whether the caller goes before strangers. Takes the
 * same time for both. Throws 429 if too many hashes are waiting.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  isPreferred: boolean,
): Promise<boolean> {
  const [, n, r, p, salt = "", hash = ""] = (stored ?? NOBODYS_HASH).split("$");
  const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: COST.maxmem };
  const expected = Buffer.from(hash, "base64");
  const given = await queue.run(
    () => derive(password.normalize("NFKC"), Buffer.from(salt, "base64"), expected.length, cost),
    isPreferred,
  );
  return timingSafeEqual(given, expected) && stored !== null;
}
