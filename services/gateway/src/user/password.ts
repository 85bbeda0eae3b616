// Passwords: scrypt with a salt each, the parameters written beside the hash so that they can be raised later.
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

// 32 MiB and three passes: OWASP's recommendation for scrypt at this memory.
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const HASH_BYTES = 32;

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

/** Out: `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize("NFKC"), salt, HASH_BYTES, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), hash.toString("base64")].join("$");
}

// Of a password that nobody has: an unknown e-mail must take as long as a wrong password.
const NOBODYS_HASH = await hashPassword(randomBytes(16).toString("hex"));

/** In: the password and the stored hash, or null for an unknown user; takes the same time for both. */
export async function isPasswordRight(password: string, stored: string | null): Promise<boolean> {
  const [, n, r, p, salt = "", hash = ""] = (stored ?? NOBODYS_HASH).split("$");
  const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: COST.maxmem };
  const expected = Buffer.from(hash, "base64");
  const given = await derive(password.normalize("NFKC"), Buffer.from(salt, "base64"), expected.length, cost);
  return timingSafeEqual(given, expected) && stored !== null;
}
