// verifyWebhook with signatures of an independent library and of the platform's documentation.
import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Webhook } from "standardwebhooks";
import { verifyWebhook, WebhookVerificationError } from "../src/webhooks.ts";

const SECRET = `whsec_${randomBytes(32).toString("base64")}`;
const OLD = `whsec_${randomBytes(32).toString("base64")}`;
const NOW = Date.UTC(2026, 7, 20, 9, 30);
const BODY = JSON.stringify({
  id: "d-1",
  type: "redirect.added",
  tenant_id: "t",
  data: { redirect: { id: "r", from: "/ä", to: "/b", type: 301, createdAt: "2026-08-20T09:30:00.000Z" } },
  delivered_at: "2026-08-20T09:30:00.250Z",
});

function headers(body = BODY, at = NOW, ...secrets: string[]): Record<string, string> {
  const signatures = (secrets.length === 0 ? [SECRET] : secrets).map((secret) =>
    new Webhook(secret).sign("d-1", new Date(at), body),
  );
  return {
    "webhook-id": "d-1",
    "webhook-timestamp": String(Math.floor(at / 1_000)),
    "webhook-signature": signatures.join(" "),
  };
}

const verify = (...[secret, head, body, options]: Parameters<typeof verifyWebhook>) =>
  verifyWebhook(secret, head, body, { now: NOW, ...options });

test("the delivery in docs/receiving-webhooks.md is genuine", async () => {
  const page = readFileSync(path.resolve(import.meta.dirname, "../../../docs/receiving-webhooks.md"), "utf8");
  const [, head = "", body = ""] = /```http\nPOST .*\n([\s\S]*?)\n\n([\s\S]*?)\n```/.exec(page) ?? [];
  const sent = Object.fromEntries(head.split("\n").map((line) => line.split(": ") as [string, string]));
  const secret = /signed with the secret `(whsec_[^`]+)`/.exec(page)?.[1] ?? "";
  const event = await verifyWebhook(secret, sent, body, { now: Number(sent["webhook-timestamp"]) * 1_000 });
  expect(event).toEqual(JSON.parse(body));
});

test("the event is typed by its type", async () => {
  const event = await verify(SECRET, headers(), BODY);
  if (event.type !== "redirect.added") throw new Error("another type");
  const from: string = event.data.redirect.from;
  expect(from).toBe("/ä");
});

test.each<[string, string | Uint8Array]>([
  ["a text", BODY],
  ["a Buffer", Buffer.from(BODY)],
  ["a Uint8Array", new TextEncoder().encode(BODY)],
  ["a part of a larger buffer", new Uint8Array(Buffer.from(`xx${BODY}xx`)).subarray(2, -2)],
])("the body may be %s", async (_, body) => {
  expect(await verify(SECRET, headers(), body)).toEqual(JSON.parse(BODY));
});

test("the headers may be Headers, Node's, or have names in any case", async () => {
  const plain = headers();
  const upper = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name.toUpperCase(), value]));
  const node = { ...plain, "set-cookie": ["a", "b"], "x-other": undefined };
  const lists = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, [value]]));
  for (const sent of [new Headers(plain), upper, node, lists]) {
    expect(await verify(SECRET, sent, BODY)).toEqual(JSON.parse(BODY));
  }
});

test("during a rotation either secret verifies, and a receiver may accept both", async () => {
  const both = headers(BODY, NOW, SECRET, OLD);
  expect(await verify(SECRET, both, BODY)).toBeDefined();
  expect(await verify(OLD, both, BODY)).toBeDefined();
  expect(await verify([OLD, SECRET], headers(), BODY)).toBeDefined();
});

describe("is refused:", () => {
  const HALF = "1787218200.5";
  const sent = (changed: Record<string, string | undefined>): Parameters<typeof verifyWebhook> => [
    ...([SECRET, { ...headers(), ...changed }, BODY] as const),
  ];

  test.each<[string, string, Parameters<typeof verifyWebhook>]>([
    ["another secret", "signature", [OLD, headers(), BODY]],
    ["a changed body", "signature", [SECRET, headers(), BODY.replace("/b", "/c")]],
    ["a body that was parsed and written again", "signature", [SECRET, headers(), `${BODY}\n`]],
    ["another id", "signature", sent({ "webhook-id": "d-2" })],
    ["another time", "signature", sent({ "webhook-timestamp": "1787218201" })],
    ["no signature", "headers", sent({ "webhook-signature": undefined })],
    ["an empty signature", "headers", sent({ "webhook-signature": "" })],
    ["a signature without a version", "signature", sent({ "webhook-signature": mac(BODY) })],
    ["a signature of version 2", "signature", sent({ "webhook-signature": `v2,${mac(BODY)}` })],
    ["a signature cut short", "signature", sent({ "webhook-signature": `v1,${mac(BODY).slice(0, 8)}` })],
    ["a signature that is not base64", "signature", sent({ "webhook-signature": "v1,***" })],
    [
      "a valid signature after ten others",
      "signature",
      sent({ "webhook-signature": `${"v1,AAAA ".repeat(10)}v1,${mac(BODY)}` }),
    ],
    ["a header given twice", "headers", sent({ "Webhook-Id": "d-1" })],
    ["no timestamp", "headers", [SECRET, new Headers({ "webhook-id": "d-1" }), BODY]],
    [
      "a time that is signed and is not a number",
      "timestamp",
      sent({ "webhook-timestamp": HALF, "webhook-signature": `v1,${mac(BODY, HALF)}` }),
    ],
    ["an old delivery", "timestamp", [SECRET, headers(BODY, NOW - 301_000), BODY]],
    ["a delivery of the future", "timestamp", [SECRET, headers(BODY, NOW + 301_000), BODY]],
    ["a body that is not JSON", "body", [SECRET, headers("no"), "no"]],
  ])("%s", async (_, reason, [secret, sent, body]) => {
    const error = await verify(secret, sent, body).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toMatchObject({ reason });
    expect(String(error)).not.toContain(SECRET.slice(10));
  });
});

test("the tolerance can be changed", async () => {
  const old = headers(BODY, NOW - 301_000);
  expect(await verify(SECRET, old, BODY, { toleranceSeconds: 600 })).toBeDefined();
  await expect(verify(SECRET, headers(BODY, NOW - 5_000), BODY, { toleranceSeconds: 1 })).rejects.toThrow();
});

test("a secret that cannot be one, and a parsed body, are TypeErrors", async () => {
  for (const secret of ["", "whsec_", "secret", "whsec_***", undefined as unknown as string]) {
    await expect(verify(secret, headers(), BODY)).rejects.toThrow(TypeError);
  }
  await expect(verify(SECRET, headers(), JSON.parse(BODY))).rejects.toThrow(TypeError);
});

function mac(body: string, timestamp = String(NOW / 1_000)): string {
  const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
  return createHmac("sha256", key).update(`d-1.${timestamp}.${body}`).digest("base64");
}
