// The setup of most test files: the webhooks service and a receiver that it can reach.
import { type Receiver, startReceiver, testCertificate } from "@tradepost/testing";
import type { StartOptions } from "../../src/service.ts";
import { startTestWebhooks, type TestTenant } from "./webhooks.ts";

export type Fixture = ReturnType<typeof fixtureOf>["fixture"];

/**
 * Starts service and receiver before the first test of the file or `describe`, and stops them after the last. Each test has a new
 * tenant, and a receiver that has received nothing and responds with 200.
 */
export function useWebhooks(settings: Record<string, string> = {}, options: StartOptions = {}) {
  const { fixture, reset } = fixtureOf(settings, options);
  beforeEach(reset);
  return fixture;
}

/** For tests that share their tenant, its deliveries and the receiver. */
export function useSharedWebhooks(settings: Record<string, string> = {}, options: StartOptions = {}) {
  return fixtureOf(settings, options).fixture;
}

function fixtureOf(settings: Record<string, string>, options: StartOptions) {
  let started: Awaited<ReturnType<typeof startWithReceiver>>;
  let tenant: TestTenant;
  const reset = () => {
    const { webhooks, receiver } = started;
    receiver.received.length = 0;
    receiver.behave(() => 200);
    tenant = webhooks.tenant();
  };
  beforeAll(async () => {
    started = await startWithReceiver(settings, options);
    reset();
  });
  afterAll(() => started.stop());
  const fixture = {
    webhooks: current(() => started.webhooks),
    receiver: current(() => started.receiver),
    tenant: current(() => tenant),
  };
  return { fixture, reset };
}

/** Stands for the value that `read` returns at each use, because the fixture exists only while tests run. */
function current<Value extends object>(read: () => Value): Value {
  return new Proxy({} as Value, { get: (_, key) => Reflect.get(read(), key) });
}

/** An attempt of a new subscription that is in progress until `respond` runs. Later requests get a 200. */
export async function startAttempt({ receiver, tenant }: Pick<Fixture, "receiver" | "tenant">) {
  const respond = receiver.hold();
  const { id } = await tenant.subscribe("/hook");
  await tenant.emit();
  await receiver.waitFor("the request", ({ path }) => path === "/hook");
  const [{ id: deliveryId }] = await tenant.untilDeliveries(id, 1);
  receiver.behave(() => 200);
  return { id, deliveryId: deliveryId as string, respond };
}

/** For one test. */
export async function startWithReceiver(settings: Record<string, string>, options: StartOptions = {}) {
  const receiver = withQuestions(await startReceiver(await testCertificate()));
  const webhooks = await startTestWebhooks(settings, options, receiver.url);
  return {
    webhooks,
    receiver,
    stop: async () => {
      await receiver.stop();
      await webhooks.stop();
    },
  };
}

function withQuestions(receiver: Receiver) {
  return {
    ...receiver,
    /** The requests to this path. */
    at: (path: string) => receiver.received.filter((request) => request.path === path),
    paths: () => receiver.received.map(({ path }) => path),
    /** The value of a header in each request. */
    sent: (header: string) => receiver.received.map(({ headers }) => headers[header]),
    bodies: () => receiver.received.map(({ body }) => JSON.parse(body.toString())),
    /** Keeps all requests from now on waiting, until the function that it returns responds to them with a status. */
    hold: () => {
      const gate = Promise.withResolvers<number>();
      receiver.behave(() => (res) => void gate.promise.then((status) => res.writeHead(status).end()));
      return gate.resolve;
    },
    /** Responds to all requests from now on with 503 and `Retry-After`. */
    askToWait: (seconds = 3_600) =>
      receiver.behave(() => (res) => res.writeHead(503, { "retry-after": `${seconds}` }).end()),
  };
}
