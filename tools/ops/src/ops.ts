// `npm run ops -- <command>`: shows and changes the state in the platform's databases and broker (interface §9).
// With --json, standard output is only JSON; without it, sentences and tables.
import { Command, CommanderError } from "commander";
import { findAddresses } from "./addresses.ts";
import { addDeadCommands } from "./dead.ts";
import { addDeliveriesCommands } from "./deliveries.ts";
import type { Operator } from "./operator.ts";
import { addOutboxCommand } from "./outbox.ts";
import { addPoisonCommands } from "./poison.ts";
import { addQueuesCommand } from "./queues.ts";
import { addTenantCommands } from "./tenant.ts";
import { addUserCommands } from "./user.ts";
import { addVerifyCommand } from "./verify.ts";

const program = new Command("ops")
  .description("Operates a Tradepost platform: tenants, users, queues, outboxes and dead letters.")
  .option("--json", "print JSON and nothing else")
  .exitOverride();
const operator: Operator = {
  addresses: findAddresses,
  print: (json, text) => console.log(isJsonWanted() ? JSON.stringify(json, null, 2) : text),
};
addTenantCommands(program, operator);
addUserCommands(program, operator);
addQueuesCommand(program, operator);
addDeliveriesCommands(program, operator);
addDeadCommands(program, operator);
addPoisonCommands(program, operator);
addOutboxCommand(program, operator);
addVerifyCommand(program, operator);

// --json is accepted anywhere on the command line.
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
