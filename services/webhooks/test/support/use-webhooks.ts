// The setup of most test files: the webhooks service and a receiver that it can reach.
import { afterAll, beforeAll, beforeEach } from "@jest/globals";
import { type Receiver, startReceiver, testCertificate } from "@tradepost/testing";
import type { StartOptions } from "../../src/service.ts";
import { startTestWebhooks, type TestTenant, type TestWebhooks } from "./webhooks.ts";

export interface Fixture {
  readonly webhooks: TestWebhooks;
  readonly receiver: Receiver;
  readonly tenant: TestTenant;
}

/**
 * Starts service and receiver before the first test of the file or `describe`, and stops them after the last. Each test has a new
 * tenant, and a receiver that has received nothing and responds with 200.
 */
export function useWebhooks(settings: Record<string, string> = {}, options: StartOptions = {}): Fixture {
  let started: Awaited<ReturnType<typeof startWithReceiver>>;
  let tenant: TestTenant;
  beforeAll(async () => {
    started = await startWithReceiver(settings, options);
    tenant = started.webhooks.tenant();
  });
  beforeEach(() => {
    const { webhooks, receiver } = started;
    receiver.received.length = 0;
    receiver.behave(() => 200);
    tenant = webhooks.tenant();
  });
  afterAll(() => started.stop());
  return {
    webhooks: current(() => started.webhooks),
    receiver: current(() => started.receiver),
    tenant: current(() => tenant),
  };
}

/** Stands for the value that `read` returns at each use, because the fixture exists only while tests run. */
function current<Value extends object>(read: () => Value): Value {
  return new Proxy({} as Value, { get: (_, key) => Reflect.get(read(), key) });
}

/** For tests that share their tenants and deliveries. */
export async function startWithReceiver(settings: Record<string, string>, options: StartOptions = {}) {
  const [webhooks, receiver] = await Promise.all([
    startTestWebhooks(settings, options),
    testCertificate().then((tls) => startReceiver(tls)),
  ]);
  return {
    webhooks,
    receiver,
    stop: async () => {
      await receiver.stop();
      await webhooks.stop();
    },
  };
}
