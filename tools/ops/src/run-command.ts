// Runs one command of `npm run ops`: its arguments, its output and its exit status.
import { RELEASE } from "@tradepost/runtime";
import { Command, CommanderError } from "commander";
import type { Kysely } from "kysely";
import { type Addresses, type FoundEnvironment, findEnvironment, type ServiceName } from "./addresses.ts";
import type { Operator } from "./arguments.ts";
import { addAuditCommand } from "./audit.ts";
import { addBackupsCommand } from "./backups.ts";
import { addConfigCommand } from "./config.ts";
import { addDeadCommands, addDeliveriesCommands } from "./deliveries.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addEventsCommands } from "./events.ts";
import { addKeysCommands } from "./keys.ts";
import { addNoticesCommands } from "./notices.ts";
import { addBacklogCommand, addOutboxCommand } from "./outbox.ts";
import { addPoisonCommands } from "./poison.ts";
import { addQueuesCommand } from "./queues.ts";
import { recordCommand } from "./record-command.ts";
import { addRestoredCommand } from "./restored.ts";
import { addStatusCommand } from "./status/status.ts";
import { addTenantCommands } from "./tenant.ts";
import { addUsageCommand } from "./usage.ts";
import { addUserCommands } from "./user.ts";
import { addVerifyCommand } from "./verify.ts";
import { migratedByNewer, Unreachable, withDatabase } from "./with-database.ts";

const UNDEFINED_TABLE = "42P01";

interface Terminal {
  addresses(): Addresses;
  /** By default from the running services. */
  environment?(service: ServiceName): FoundEnvironment;
  writeOut(text: string): void;
  writeError(text: string): void;
}

// A server could not be used.
const UNREACHABLE = 2;

/** Returns the exit status. Errors are written as sentences, never as stacks. */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const newer = new Set<string>();
  const status = await migratedByNewer.run(newer, () => run(words, terminal));
  if (newer.size > 0)
    terminal.writeError(
      `A newer release has migrated the databases of ${[...newer].join(", ")}; this is ops of release ${RELEASE}.`,
    );
  return status;
}

async function run(
  words: readonly string[],
  { addresses, environment = findEnvironment, writeOut, writeError }: Terminal,
): Promise<number> {
  // --json is accepted anywhere on the command line.
  const isJsonWanted = words.includes("--json");
  const away = new Set<string>();
  let status = 0;
  const operator: Operator = {
    ...{ addresses, environment },
    on: (service, work, options) => withDatabase(addresses().databases[service], work, options),
    onEach: async (services, work, options) => {
      const { databases } = addresses();
      const results = services.map((service) => {
        const here = (db: Kysely<Record<string, never>>) => work(db, service);
        return operator.ifReachable(withDatabase(databases[service], here, options));
      });
      return (await Promise.all(results)).filter((result) => result !== null);
    },
    print: (json, text) => {
      writeOut(isJsonWanted ? JSON.stringify(json, null, 2) : [text, ...away].filter(Boolean).join("\n"));
      if (isJsonWanted) for (const sentence of away) writeError(sentence);
    },
    note: writeError,
    fail: () => {
      status ||= 1;
    },
    ifReachable: async (work) => {
      try {
        return await work;
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        away.add(nameUnreachable(error, addresses()));
        status = UNREACHABLE;
        return null;
      }
    },
  };
  const program = createProgram(operator, { writeOut, writeError });
  let recordEnd = async (_exitStatus: number) => {};
  program.hook("preAction", async (_, command) => {
    recordEnd = await recordCommand(operator, command);
  });
  try {
    await program.parseAsync(
      words.filter((word) => word !== "--json"),
      { from: "user" },
    );
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (error instanceof Unreachable) away.add(nameUnreachable(error, addresses()));
    for (const sentence of away) writeError(sentence);
    status = error instanceof Unreachable ? UNREACHABLE : 1;
    if (status === 1) writeError(error instanceof Error ? sentenceOf(error) : String(error));
  }
  await recordEnd(status);
  return status;
}

function nameUnreachable({ url, message }: Unreachable, { databases }: Addresses): string {
  const [name = "broker"] = Object.entries(databases).find(([, address]) => address === url) ?? [];
  return `${name}: not reachable (${message})`;
}

export function createProgram(
  operator: Operator,
  { writeOut, writeError }: Pick<Terminal, "writeOut" | "writeError">,
): Command {
  const program = new Command("ops")
    .description("Operates a Tradepost platform: tenants, users, events, queues, outboxes and dead letters.")
    .option("--json", "print JSON and nothing else")
    .version(RELEASE, "--version", "print the release of these commands")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => writeOut(text.trimEnd()),
      writeErr: (text) => writeError(text.trimEnd()),
    });
  addStatusCommand(program, operator);
  addConfigCommand(program, operator);
  addDoctorCommand(program, operator);
  addTenantCommands(program, operator);
  addUserCommands(program, operator);
  addQueuesCommand(program, operator);
  addEventsCommands(program, operator);
  addBacklogCommand(program, operator);
  addDeliveriesCommands(program, operator);
  addBackupsCommand(program, operator);
  addNoticesCommands(program, operator);
  addDeadCommands(program, operator);
  addPoisonCommands(program, operator);
  addOutboxCommand(program, operator);
  addVerifyCommand(program, operator);
  addKeysCommands(program, operator);
  addRestoredCommand(program, operator);
  addUsageCommand(program, operator);
  addAuditCommand(program, operator);
  return program;
}

function sentenceOf(error: Error): string {
  const { code } = error as { code?: unknown };
  if (code === UNDEFINED_TABLE)
    return `A database is not migrated to this release (${error.message}): run the migration programs first.`;
  if (error.name === "BrokerRefusal") return `The broker refuses AMQP_URL: ${error.message}.`;
  return error.message || String(code ?? error.name);
}
