// Each service's user of the broker, in the hands of an intruder: it publishes what the service publishes, touches the
// service's own queues, and nothing else. The permissions stand in deploy/rabbitmq/platform.json and in each README.
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { SERVICES, type ServiceName } from "@tradepost/devstack";
import { ROOT } from "./support/compose-file.ts";
import { credentialsOf, publish } from "./support/credentials.ts";
import {
  type LaunchedPlatform,
  launchPlatform,
  newDataDir,
  removeDataDir,
} from "./support/launch-platform.ts";

const REFUSED = 403;
const UNAUTHORIZED = 401;

const QUEUES: Record<ServiceName, readonly string[]> = {
  gateway: ["gateway.audit", "gateway.audit.poison"],
  orders: ["orders.replay"],
  content: ["content.media", "content.poison", "content.replay"],
  webhooks: ["webhooks.events", "webhooks.deliveries", "webhooks.dead", "webhooks.poison", "webhooks.replay"],
};
const SHARED = ["platform.events", "platform.audit", "platform.replay"] as const;
const ALL_QUEUES = SERVICES.flatMap((service) => QUEUES[service]);

/** Whom the platform needs to publish what. */
const PUBLISHES: Record<ServiceName, readonly string[]> = {
  gateway: ["platform.replay platform.audit"],
  orders: ["platform.events order.placed", "platform.events order.refunded"],
  content: [
    "platform.events redirect.removed",
    "platform.events content.revision.created",
    "platform.events content_type.upserted",
    "platform.events media.deleted",
  ],
  webhooks: ["platform.audit webhook_subscription.created", "platform.replay platform.events"],
};
const EVERYTHING = [
  ...Object.values(PUBLISHES).flat(),
  "platform.audit user.deleted",
  "platform.audit api_key.created",
  "platform.audit auth.login",
  "platform.events tenant.created",
  "platform.events product.created",
  "platform.replay anything",
];

const definitions = JSON.parse(readFileSync(path.join(ROOT, "deploy/rabbitmq/platform.json"), "utf8")) as {
  permissions: Record<"user" | "configure" | "write" | "read", string>[];
  topic_permissions: Record<"user" | "exchange" | "write" | "read", string>[];
  exchanges: { name: string }[];
};

describe("the credentials of a service for the broker", () => {
  const dataDir = newDataDir();
  let platform: LaunchedPlatform;
  let has: ReturnType<typeof credentialsOf>;

  beforeAll(async () => {
    platform = await launchPlatform({ LOG_LEVEL: "warn", CANARY_EVERY_MS: "0" }, dataDir);
    has = credentialsOf(platform);
  }, 180_000);
  afterAll(async () => {
    await platform.stop();
    removeDataDir(dataDir);
  }, 60_000);

  describe.each(SERVICES)("%s", (service) => {
    const others = ALL_QUEUES.filter((queue) => !QUEUES[service].includes(queue));
    const otherExchanges = SERVICES.filter((name) => name !== service).map((name) => `${name}.queues`);

    test("publish what the service publishes, and nothing in another's name", async () => {
      for (const one of new Set(EVERYTHING)) {
        const [exchange = "", key = ""] = one.split(" ");
        const code = await has.broker(service, publish(exchange, key));
        expect([one, code]).toEqual([one, PUBLISHES[service].includes(one) ? null : REFUSED]);
      }
    });

    test("send to no queue through the default exchange or another service's", async () => {
      for (const queue of ALL_QUEUES) {
        expect([queue, await has.broker(service, publish("", queue))]).toEqual([queue, REFUSED]);
      }
      for (const exchange of otherExchanges) {
        expect([exchange, await has.broker(service, publish(exchange, ""))]).toEqual([exchange, REFUSED]);
      }
      for (const exchange of ["amq.direct", "amq.topic", "amq.fanout", "amq.headers", "amq.match"]) {
        expect([exchange, await has.broker(service, publish(exchange, ""))]).toEqual([exchange, REFUSED]);
      }
    });

    test("take nothing from another service's queue, and leave it as it is", async () => {
      for (const queue of others) {
        const codes = [
          await has.broker(service, (channel) => channel.consume(queue, () => undefined)),
          await has.broker(service, (channel) => channel.get(queue)),
          await has.broker(service, (channel) => channel.purgeQueue(queue)),
          await has.broker(service, (channel) => channel.deleteQueue(queue)),
          await has.broker(service, (channel) => channel.assertQueue(queue, { durable: true })),
          await has.broker(service, (channel) => channel.bindQueue(queue, "platform.events", "#")),
          await has.broker(service, (channel) => channel.unbindQueue(queue, "platform.events", "#")),
        ];
        expect([queue, ...codes]).toEqual([queue, ...codes.map(() => REFUSED)]);
      }
    });

    test("declare and delete nothing that is shared, another's or new", async () => {
      const own = `${service}.queues`;
      for (const exchange of [...SHARED, ...otherExchanges, "mine"]) {
        const codes = [
          await has.broker(service, (channel) => channel.deleteExchange(exchange)),
          await has.broker(service, (channel) => channel.assertExchange(exchange, "topic")),
          // What a service may publish to, it may also lead an exchange of its own to: docs/security.md.
          ...(PUBLISHES[service].some((one) => one.startsWith(`${exchange} `))
            ? []
            : [await has.broker(service, (channel) => channel.bindExchange(exchange, own, "#"))]),
        ];
        expect([exchange, ...codes]).toEqual([exchange, ...codes.map(() => REFUSED)]);
      }
      for (const queue of ["mine", "", "amq.gen-mine"]) {
        expect(await has.broker(service, (channel) => channel.assertQueue(queue))).toBe(REFUSED);
      }
    });

    test("hear only what the service hears", async () => {
      const hears: Record<ServiceName, readonly string[]> = {
        gateway: ["platform.audit #"],
        orders: ["platform.replay platform.events"],
        content: ["platform.events media.uploaded", "platform.replay platform.events"],
        webhooks: ["platform.events redirect.added", "platform.replay platform.audit"],
      };
      const foreign = [
        ...Object.values(hears).flat(),
        ...SHARED.map((exchange) => `${exchange} #`),
        "platform.events order.placed",
      ].filter((one) => !hears[service].includes(one));
      // Every event is the webhooks service's to fan out.
      const isHeard = (one: string) => service === "webhooks" && one.startsWith("platform.events");
      for (const one of foreign.filter((each) => !isHeard(each))) {
        const [exchange = "", key = ""] = one.split(" ");
        const bind = has.broker(service, (channel) =>
          channel.bindQueue(QUEUES[service][0] as string, exchange, key),
        );
        expect([one, await bind]).toEqual([one, REFUSED]);
      }
    });

    test("are nobody's to the management API", async () => {
      for (const [method, what] of [
        ["GET", "overview"],
        ["GET", "queues"],
        ["GET", "definitions"],
        ["PUT", "users/mine"],
        ["DELETE", "queues/%2F/webhooks.dead"],
        ["POST", "exchanges/%2F/amq.default/publish"],
      ] as const) {
        expect([what, await has.manage(service, method, what)]).toEqual([what, UNAUTHORIZED]);
      }
    });
  });

  test("are told in each service's README", () => {
    for (const service of SERVICES) {
      const readme = readFileSync(path.join(ROOT, "services", service, "README.md"), "utf8");
      const { configure, write, read } = definitions.permissions.find(({ user }) => user === service) ?? {};
      const lines = [`configure  ${configure}`, `write      ${write}`, `read       ${read}`];
      const topics = definitions.topic_permissions
        .filter(({ user }) => user === service)
        .map((topic) => `${topic.exchange}  write ${topic.write}  read ${topic.read}`);
      expect(readme).toContain(["```", ...lines, ...topics, "```"].join("\n"));
    }
  });

  test("find the shared exchanges again that an operator has deleted, and go on", async () => {
    const { managementUrl, gatewayUrl, demo } = platform.now();
    const base = new URL(managementUrl ?? "");
    const headers = {
      authorization: `Basic ${Buffer.from(`${base.username}:${base.password}`).toString("base64")}`,
    };
    const exchange = `${base.origin}/api/exchanges/%2F/platform.events`;
    expect((await fetch(exchange, { method: "DELETE", headers })).status).toBe(204);
    const add = await fetch(`${gatewayUrl}/v1/redirects`, {
      method: "POST",
      headers: { authorization: `Bearer ${demo.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ from: "/after-deletion", to: "/there" }),
    });
    expect(add.status).toBe(201);
    for (let isPublished = false; !isPublished; ) {
      const outbox = (await platform.ops("outbox")) as { service: string; pending: number }[];
      isPublished = outbox.every(({ pending }) => pending === 0);
    }
    expect((await fetch(exchange, { headers })).status).toBe(200);
    const events = (await platform.ops("queues")) as { name: string; consumers: number }[];
    expect(events.find(({ name }) => name === "webhooks.events")?.consumers).toBe(1);
  }, 120_000);
});
