#!/usr/bin/env node
// The program `tradepost`. `tradepost listen` forwards webhooks to this machine. `tradepost listeners` lists and deletes the
// listeners from which it leases them (interface §12).
import { Command } from "commander";
import { VERSION } from "../version.ts";
import { addListenCommand } from "./listen/listen-command.ts";
import { addListenersCommand } from "./listeners-command.ts";
import { UsageError } from "./usage-error.ts";

const program = new Command("tradepost").description("Tradepost for developers.").version(VERSION);
addListenCommand(program);
addListenersCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  // All other expected failures are handled before. An unexpected error is printed with its stack; a TradepostError contains no
  // credential.
  const isExpected =
    error instanceof UsageError || (error instanceof Error && error.name === "TradepostError");
  process.stderr.write(`${isExpected ? (error as Error).message : inspectable(error)}\n`);
  process.exitCode = 1;
}

function inspectable(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
