// `npm run ops -- <command>`: shows and changes the state in the platform's databases and broker (interface §9).
// With --json, standard output is only JSON; without it, sentences and tables.
import { findAddresses } from "./addresses.ts";
import { runCommand } from "./run-command.ts";

// A command continues if nobody reads its output any more, as after `| head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  console.error(`The output could not be written: ${error.message}`);
  process.exitCode = 1;
});
process.stderr.on("error", () => undefined);

const code = await runCommand(process.argv.slice(2), {
  addresses: findAddresses,
  writeOut: (text) => console.log(text),
  writeError: (text) => console.error(text),
});
if (code !== 0) process.exitCode = code;
