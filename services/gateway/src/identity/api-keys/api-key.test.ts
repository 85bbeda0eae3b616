// The form of a key, from which scanners recognise one without asking the gateway (interface §2).
import { crc32 } from "node:zlib";
import { generateApiKey } from "./api-key.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

test("a key ends with the CRC-32 of everything before it, as six digits in base62", () => {
  for (let count = 0; count < 1_000; count += 1) {
    const { key } = generateApiKey();
    expect(key).toMatch(/^sk_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/);
    const checksum = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0);
    expect([key, checksum]).toEqual([key, crc32(key.slice(0, -6))]);
  }
});
