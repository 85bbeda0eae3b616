// Time-based one-time passwords (RFC 6238), as all authenticator apps support them. Pure.
import { createHmac, timingSafeEqual } from "node:crypto";

const STEP_SECONDS = 30;
const DIGITS = 6;
// Clocks differ, and typing takes time.
const TOLERANCE_STEPS = 1;
/** The length of HMAC-SHA-1, which RFC 4226 recommends for secrets. */
export const SECRET_BYTES = 20;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function stepAt(time: Date): number {
  return Math.floor(time.getTime() / 1000 / STEP_SECONDS);
}

export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  // RFC 4226: the last four bits say where the number begins.
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, "0");
}

/** Latest first. Takes the same time for every code. */
export function stepsOfCode(secret: Uint8Array, code: string, now: Date): number[] {
  const given = Buffer.from(code);
  const steps: number[] = [];
  for (let offset = TOLERANCE_STEPS; offset >= -TOLERANCE_STEPS; offset -= 1) {
    const step = stepAt(now) + offset;
    const expected = Buffer.from(totpCode(secret, step));
    if (given.length === expected.length && timingSafeEqual(given, expected)) steps.push(step);
  }
  return steps;
}

export function otpauthUri(secret: Uint8Array, email: string): string {
  const parameters = new URLSearchParams({
    secret: base32(secret),
    issuer: "Tradepost",
    algorithm: "SHA1",
    digits: String(DIGITS),
    period: String(STEP_SECONDS),
  });
  return `otpauth://totp/Tradepost:${encodeURIComponent(email)}?${parameters}`;
}

/** RFC 4648, without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32.charAt(Number.parseInt(group.padEnd(5, "0"), 2))).join("");
}
