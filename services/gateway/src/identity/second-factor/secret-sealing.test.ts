import { randomBytes } from "node:crypto";
import { secretSealing } from "./secret-sealing.ts";

const key = (id: string) => ({ id, secret: randomBytes(32) });
const [old, next, lost] = [key("old"), key("next"), key("lost")];
const owner = { tenantId: "t", userId: "u" };
const secret = Buffer.from("12345678901234567890");

test("the first key seals, and all keys open, for the same user only", () => {
  const { sealed, sealedWith } = secretSealing([old]).seal(secret, owner);
  expect(sealedWith).toBe("old");
  expect(sealed.includes(secret)).toBe(false);
  const rotated = secretSealing([next, old]);
  expect(rotated.open(sealed, owner)).toEqual(secret);
  expect(rotated.seal(secret, owner).sealedWith).toBe("next");
  expect(rotated.open(sealed, { ...owner, userId: "v" })).toBeNull();
  expect(rotated.open(sealed, { ...owner, tenantId: "s" })).toBeNull();
  expect(secretSealing([lost]).open(sealed, owner)).toBeNull();
});

test("changed and shortened values do not open", () => {
  const sealing = secretSealing([old]);
  const { sealed } = sealing.seal(secret, owner);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(sealing.open(changed, owner)).toBeNull();
    expect(sealing.open(sealed.subarray(0, at), owner)).toBeNull();
  }
});
