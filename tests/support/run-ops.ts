// Runs an operators' command in the test's own process, because starting another process takes a second.
import { forEachService } from "@tradepost/devstack";
import { runCommand } from "@tradepost/ops/run-command";
import type { TestBroker } from "@tradepost/testing";
import type { TestPlatform } from "./test-platform.ts";

interface Operated extends Pick<TestPlatform, "databases" | "mediaDir">, Partial<Pick<TestPlatform, "urls">> {
  readonly broker: Pick<TestBroker, "amqpUrl" | "managementUrl">;
}

/** Words of a command. A string is split at spaces; the strings of a list are not. */
export type Words = readonly (string | readonly string[])[];

/** Returns a function that runs `npm run ops -- <words>` on the platform. */
export function opsOn({ databases, broker, mediaDir, urls }: Operated) {
  const processOf = (url = "") => [{ url, metricsUrl: `${url}/metrics` }];
  return async (...words: Words) => {
    let [stdout, stderr] = ["", ""];
    const command = words.flatMap((word) => (typeof word === "string" ? word.split(" ") : word));
    const code = await runCommand(command, {
      addresses: () => ({
        ...{ databases, amqpUrl: broker.amqpUrl, managementUrl: broker.managementUrl },
        mediaEnvironment: { CONTENT_MEDIA_DIR: mediaDir },
        services: forEachService((service) => processOf(urls?.[service])),
      }),
      writeOut: (text) => (stdout += `${text}\n`),
      writeError: (text) => (stderr += `${text}\n`),
    });
    return { code, stdout, stderr };
  };
}

/** Returns a function that runs a command with `--json` and resolves with its output. It rejects if the command fails. */
export function opsJsonOn(platform: Operated) {
  // biome-ignore lint/suspicious/noExplicitAny: each command prints another shape
  return async (...words: Words): Promise<any> => {
    const { code, stdout, stderr } = await opsOn(platform)(...words, "--json");
    if (code !== 0) throw new Error(stderr || stdout);
    return JSON.parse(stdout);
  };
}

/** Returns the environment in which `npm run ops` finds the platform. */
export function opsEnvironment({
  databases,
  broker,
}: Pick<Operated, "databases" | "broker">): Record<string, string> {
  return {
    GATEWAY_DATABASE_URL: databases.gateway,
    ORDERS_DATABASE_URL: databases.orders,
    CONTENT_DATABASE_URL: databases.content,
    WEBHOOKS_DATABASE_URL: databases.webhooks,
    AMQP_URL: broker.amqpUrl,
    RABBITMQ_MANAGEMENT_URL: broker.managementUrl,
  };
}
