#!/usr/bin/env node

// The program `tradepost`. `tradepost api` sends a request. `tradepost listen` forwards webhooks to this machine. `tradepost listeners`
// lists and deletes the listeners from which `listen` leases webhooks (interface §12); a tenant may have 20.
import { Command } from "commander";
import { VERSION } from "../version.ts";
import { addApiCommand } from "./api/api-command.ts";
import { connect } from "./connection.ts";
import { addListenCommand } from "./listen/listen-command.ts";
import { waitingOf } from "./listen/open-listener.ts";
import { UsageError } from "./usage-error.ts";

const program = new Command("tradepost").description("Tradepost for developers.").version(VERSION);
addApiCommand(program);
addListenCommand(program);
const listeners = program.command("listeners").description("Shows and deletes listeners.");
listeners
  .command("list")
  .description("Prints a line for each: id, state, how many deliveries wait, events, name.")
  .action(async () => {
    for await (const { id, active, waiting, events, name } of connect().listeners.list()) {
      const state = active ? "active" : "paused";
      const facts = [id, state, `${waitingOf({ waiting })} waiting`, events.join(","), printable(name)];
      process.stdout.write(`${facts.join("  ")}\n`);
    }
  });
listeners
  .command("delete <id>")
  .description("Deletes a listener. The deliveries that wait for it are cancelled.")
  .action(async (id: string) => {
    await connect().listeners.delete(id);
    process.stdout.write(`The listener ${id} is deleted.\n`);
  });

try {
  await program.parseAsync();
} catch (error) {
  // An unexpected error is printed with its stack; a TradepostError contains no credential.
  const isExpected =
    error instanceof UsageError || (error instanceof Error && error.name === "TradepostError");
  process.stderr.write(`${isExpected ? (error as Error).message : inspectable(error)}\n`);
  process.exitCode = 1;
}

/** A terminal would interpret control characters in a name. */
function printable(name: string): string {
  return name.replaceAll(/\p{C}/gu, "\uFFFD");
}

function inspectable(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
