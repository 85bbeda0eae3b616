import { runCommand } from "@tradepost/ops/run-command";
import type { ChaosPlatform } from "./platform.ts";

/** Resolves to the output, or rejects with it if the command fails. */
export async function runOps(
  { databases, rabbitmq: { amqpUrl, managementUrl } }: ChaosPlatform,
  ...words: string[]
): Promise<string> {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const code = await runCommand(words, {
    addresses: () => ({ databases, amqpUrl, managementUrl, mediaEnvironment: {} }),
    writeOut: print,
    writeError: print,
  });
  if (code !== 0) throw new Error(printed.join("\n"));
  return printed.join("\n");
}
