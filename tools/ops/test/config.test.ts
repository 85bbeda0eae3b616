// `ops config` on environments as the services may have them.
import { run } from "./support/run.ts";

const SECRET = "a secret of more than 32 characters";
const ORDERS = {
  ORDERS_DATABASE_URL: "postgres://orders:hush,hush@database/orders",
  AMQP_URL: "amqp://orders:silence@broker/shop",
  GATEWAY_SECRET: SECRET,
  EVENTS_KEEP_DAYS: "9",
  ORDERS_EVENT_KEEP_DAYS: "9",
};

test("shows each setting, masked, with where it comes from", async () => {
  const { code, stdout } = await config(ORDERS);
  expect(code).toBe(0);
  const fingerprint = /#[0-9a-f]{6}/.source;
  for (const line of [
    "Settings of orders, from process 7:",
    "PORT +8081 +default",
    `ORDERS_DATABASE_URL +postgres://orders:${fingerprint}@database/orders +environment`,
    `GATEWAY_SECRET +${fingerprint} +environment`,
    "EVENTS_KEEP_DAYS +9 +environment",
    "AMQP_CA_FILE +- +-",
    "No settings, perhaps misspelt: ORDERS_EVENT_KEEP_DAYS.",
  ])
    expect(stdout).toMatch(new RegExp(`^${line}$`, "m"));
});

test("names every setting at fault, and shows the others", async () => {
  const { code, stdout } = await config({ ...ORDERS, GATEWAY_SECRET: "brief", AMQP_URL: "", PORT: "http" });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^EVENTS_KEEP_DAYS +9 +environment$/m);
  expect(stdout).toContain(
    "Settings are missing or wrong: PORT must be a whole number from 0 to 65535; AMQP_URL is missing; GATEWAY_SECRET must be at least 32 characters.",
  );
});

test("refuses a service that does not exist", async () => {
  const { code, stderr } = await config({}, "shop");
  expect(code).toBe(1);
  expect(stderr).toContain("Allowed choices are gateway, orders, content, webhooks.");
});

function config(variables: Record<string, string>, service = "orders") {
  return run(`config ${service}`, { environment: () => ({ of: "process 7", variables }) });
}
