// `npm run ops -- <command>`: shows and changes the state in the platform's databases and broker (interface §9).
// With --json, standard output is only JSON; without it, sentences and tables.
import { findAddresses } from "./addresses.ts";
import { runCommand } from "./run-command.ts";

process.exitCode = await runCommand(process.argv.slice(2), {
  addresses: findAddresses,
  writeOut: (text) => console.log(text),
  writeError: (text) => console.error(text),
});
