// An endpoint is prepared once, and again as soon as its URL or a secret changes.
import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import { createSealing, type Sealing } from "../../endpoint/sealing.ts";
import { signingKeys } from "../../endpoint/signature.ts";
import { preparedEndpoints } from "./prepared-endpoints.ts";

const ENDPOINTS_MAX = 3;

const newSealing = () => createSealing([{ id: null, key: createSecretKey(randomBytes(32)) }]);
const sealing = newSealing();
const prepareWith = (key: Sealing = sealing) => preparedEndpoints(key, ENDPOINTS_MAX);

const newEndpoint = () => {
  const [tenantId, subscriptionId] = [randomUUID(), randomUUID()];
  const { secret, sealed } = sealing.newSecret(tenantId, subscriptionId);
  const url = "https://receiver.example:8443/hook?a=b#c";
  const delivery = { tenantId, subscriptionId, url, secretSealed: sealed };
  return { secret, delivery: { ...delivery, previousSecretSealed: null, headersSealed: null } };
};
const exported = (keys: ReturnType<typeof signingKeys>) => [keys.service.export(), keys.standard.export()];

test("is the same for the next delivery, whose sealed secret is another Buffer with the same bytes", () => {
  const { delivery } = newEndpoint();
  const prepare = prepareWith();
  const copied = { ...delivery, secretSealed: Buffer.from(delivery.secretSealed) };
  expect(prepare(copied)).toBe(prepare(delivery));
});

test("does not change with the bytes that it was prepared from", () => {
  const { delivery, secret } = newEndpoint();
  const prepare = prepareWith();
  const sealed = Buffer.from(delivery.secretSealed);
  prepare({ ...delivery, secretSealed: sealed });
  sealed.fill(0);
  expect(exported(prepare(delivery).keys)).toEqual(exported(signingKeys(secret)));
  expect(() => prepare({ ...delivery, secretSealed: sealed })).toThrow();
});

test("is not given to another tenant, and a secret that does not open throws each time", () => {
  const { delivery } = newEndpoint();
  const prepare = prepareWith();
  prepare(delivery);
  const foreign = { ...delivery, tenantId: randomUUID() };
  for (const _ of [1, 2]) expect(() => prepare(foreign)).toThrow();
  expect(() => prepareWith(newSealing())(delivery)).toThrow();
});

test("is kept for the most recently used endpoints", () => {
  const deliveries = Array.from({ length: ENDPOINTS_MAX + 1 }, () => newEndpoint().delivery);
  const [first, second, ...rest] = deliveries as [(typeof deliveries)[0], (typeof deliveries)[0]];
  const prepare = prepareWith();
  const [keptFirst, droppedSecond] = [prepare(first), prepare(second)];
  prepare(first);
  for (const delivery of rest) prepare(delivery);
  expect(prepare(first)).toBe(keptFirst);
  expect(prepare(second)).not.toBe(droppedSecond);
});
