// Password hashes that take less than a millisecond to make and to verify: a stored hash includes its cost.
import { randomBytes, scryptSync } from "node:crypto";

export const CHEAP_COST = { N: 2, r: 1, p: 1 };

/** Returns a hash as the gateway stores it. */
export function cheapHash(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password.normalize("NFKC"), salt, 32, CHEAP_COST);
  const { N, r, p } = CHEAP_COST;
  return ["scrypt", N, r, p, salt.toString("base64"), hash.toString("base64")].join("$");
}
