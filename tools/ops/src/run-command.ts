// Runs one command of `npm run ops`: its arguments, its output and its exit status.
import { Command, CommanderError } from "commander";
import type { Addresses } from "./addresses.ts";
import { addBacklogCommand } from "./backlog.ts";
import { addDeadCommands } from "./dead.ts";
import { addDeliveriesCommands } from "./deliveries.ts";
import { addEventsCommands } from "./events.ts";
import { addKeysCommands } from "./keys.ts";
import { addNoticesCommands } from "./notices.ts";
import type { Operator } from "./operator.ts";
import { addOutboxCommand } from "./outbox.ts";
import { addPoisonCommands } from "./poison.ts";
import { addQueuesCommand } from "./queues.ts";
import { addRestoredCommand } from "./restored.ts";
import { addTenantCommands } from "./tenant.ts";
import { addUserCommands } from "./user.ts";
import { addVerifyCommand } from "./verify.ts";

// The SQLSTATE of Postgres.
const UNDEFINED_TABLE = "42P01";

interface Terminal {
  addresses(): Addresses;
  /** Writes a text with a newline to standard output. */
  writeOut(text: string): void;
  /** Writes a text with a newline to standard error. */
  writeError(text: string): void;
}

/** Returns the exit status. Errors are written as sentences, never as stacks. */
export async function runCommand(
  words: readonly string[],
  { addresses, writeOut, writeError }: Terminal,
): Promise<number> {
  // --json is accepted anywhere on the command line.
  const isJsonWanted = words.includes("--json");
  let status = 0;
  const program = createProgram(
    {
      addresses,
      print: (json, text) => writeOut(isJsonWanted ? JSON.stringify(json, null, 2) : text),
      note: writeError,
      fail: () => {
        status = 1;
      },
    },
    { writeOut, writeError },
  );
  try {
    await program.parseAsync(
      words.filter((word) => word !== "--json"),
      { from: "user" },
    );
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    writeError(error instanceof Error ? sentenceOf(error) : String(error));
    return 1;
  }
}

/** The commands, their arguments and their options. */
export function createProgram(
  operator: Operator,
  { writeOut, writeError }: Pick<Terminal, "writeOut" | "writeError">,
): Command {
  const program = new Command("ops")
    .description("Operates a Tradepost platform: tenants, users, events, queues, outboxes and dead letters.")
    .option("--json", "print JSON and nothing else")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => writeOut(text.trimEnd()),
      writeErr: (text) => writeError(text.trimEnd()),
    });
  addTenantCommands(program, operator);
  addUserCommands(program, operator);
  addQueuesCommand(program, operator);
  addEventsCommands(program, operator);
  addBacklogCommand(program, operator);
  addDeliveriesCommands(program, operator);
  addNoticesCommands(program, operator);
  addDeadCommands(program, operator);
  addPoisonCommands(program, operator);
  addOutboxCommand(program, operator);
  addVerifyCommand(program, operator);
  addKeysCommands(program, operator);
  addRestoredCommand(program, operator);
  return program;
}

function sentenceOf(error: Error): string {
  const { code } = error as { code?: unknown };
  if (code === "ECONNREFUSED")
    return "Cannot reach the platform's servers; is it running? `npm start` starts it.";
  if (code === UNDEFINED_TABLE)
    return `A database is not migrated to this release (${error.message}): run the migration programs first.`;
  if (error.message.startsWith("Expected ConnectionOpenOk"))
    return "The broker refuses the virtual host that AMQP_URL names.";
  return error.message || String(code ?? error.name);
}
