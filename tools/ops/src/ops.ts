// `npm run ops -- <command>`: what operators see and do, from the platform's own databases and broker (contract §9).
// With --json only the JSON goes to standard output; without it, sentences and tables.
import { Command, CommanderError } from "commander";
import { findAddresses } from "./addresses.ts";
import { addDeadCommands } from "./dead.ts";
import { addDeliveriesCommands } from "./deliveries.ts";
import type { Operator } from "./operator.ts";
import { addOutboxCommand } from "./outbox.ts";
import { addPoisonCommands } from "./poison.ts";
import { addQueuesCommand } from "./queues.ts";
import { addTenantCommands } from "./tenant.ts";
import { addVerifyCommand } from "./verify.ts";

const program = new Command("ops")
  .description("Operates a Tradepost: its tenants, queues, outboxes and dead letters.")
  .option("--json", "print JSON and nothing else")
  .exitOverride();
const operator: Operator = {
  addresses: findAddresses,
  tell: (json, words) => console.log(isJsonWanted() ? JSON.stringify(json, null, 2) : words),
};
addTenantCommands(program, operator);
addQueuesCommand(program, operator);
addDeliveriesCommands(program, operator);
addDeadCommands(program, operator);
addPoisonCommands(program, operator);
addOutboxCommand(program, operator);
addVerifyCommand(program, operator);

// --json may stand anywhere in the line.
const words = process.argv.filter((word) => word !== "--json");
try {
  await program.parseAsync(words);
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode);
  console.error(error instanceof Error ? sentenceOf(error) : String(error));
  process.exit(1);
}

function isJsonWanted(): boolean {
  return process.argv.includes("--json");
}

function sentenceOf(error: Error): string {
  const { code } = error as { code?: unknown };
  if (code === "ECONNREFUSED")
    return "Cannot reach the platform's servers; is it running? `npm start` starts it.";
  return error.message || String(code ?? error.name);
}
