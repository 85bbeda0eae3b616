import { runCommand } from "@tradepost/ops/run-command";
import type { ChaosPlatform } from "./platform.ts";

export function addressesOf({ databases, rabbitmq }: ChaosPlatform) {
  return { databases, amqpUrl: rabbitmq.amqpUrl, managementUrl: rabbitmq.managementUrl };
}

/** Resolves to the output, or rejects with it if the command fails. */
export async function runOps(platform: ChaosPlatform, ...words: string[]): Promise<string> {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const code = await runCommand(words, {
    addresses: () => ({ ...addressesOf(platform), mediaEnvironment: {} }),
    writeOut: print,
    writeError: print,
  });
  if (code !== 0) throw new Error(printed.join("\n"));
  return printed.join("\n");
}
