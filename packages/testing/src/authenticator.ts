import { createHmac, randomBytes, scryptSync } from "node:crypto";

const STEP_MS = 30_000;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export type Authenticator = ReturnType<typeof authenticator>;

/** RFC 6238, independent of the gateway's code: each checks the other. `secret` is in base32. */
export function authenticator(secret: string) {
  const key = decode(secret);
  const now = () => Math.floor(Date.now() / STEP_MS);
  let last = 0;
  return {
    /** The code of the step that is `steps` after the current one. */
    code: (steps = 0) => codeOf(key, now() + steps),
    /** Returns a code that is accepted now and was not returned before. After two codes it waits. */
    unused: async () => {
      last = Math.max(last + 1, now());
      const waitMs = (last - 1) * STEP_MS - Date.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      return codeOf(key, last);
    },
  };
}

function codeOf(key: Buffer, step: number): string {
  const counter = Buffer.from(step.toString(16).padStart(16, "0"), "hex");
  const digest = createHmac("sha1", key).update(counter).digest();
  const offset = digest.readUInt8(19) % 16;
  const number = digest.readUInt32BE(offset) % 2 ** 31;
  return String(number).padStart(6, "0").slice(-6);
}

function decode(secret: string): Buffer {
  const bits = Array.from(secret, (character) => BASE32.indexOf(character).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

export const CHEAP_COST = { N: 2, r: 1, p: 1 };

/** As the gateway stores it, made and verified in less than a millisecond. */
export function cheapHash(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password.normalize("NFKC"), salt, 32, CHEAP_COST);
  const { N, r, p } = CHEAP_COST;
  return ["scrypt", N, r, p, salt.toString("base64"), hash.toString("base64")].join("$");
}
