// The command `tradepost listeners`: lists the tenant's listeners, of which it may have 20, or deletes one.
import type { Command } from "commander";
import { connect } from "./connection.ts";

export function addListenersCommand(program: Command): void {
  const listeners = program.command("listeners").description("Shows and deletes listeners.");
  listeners
    .command("list")
    .description("Prints a line for each: id, state, how many deliveries wait, events, name.")
    .action(async () => {
      for await (const { id, active, waiting, events, name } of connect().listeners.list()) {
        const count = waiting.pending + waiting.retrying + waiting.leased + waiting.paused;
        const state = active ? "active" : "paused";
        process.stdout.write(
          `${[id, state, `${count} waiting`, events.join(","), printable(name)].join("  ")}\n`,
        );
      }
    });
  listeners
    .command("delete <id>")
    .description("Deletes a listener. The deliveries that wait for it are cancelled.")
    .action(async (id: string) => {
      await connect().listeners.delete(id);
      process.stdout.write(`The listener ${id} is deleted.\n`);
    });
}

/** Removes control characters from a name, because a terminal would interpret them. */
function printable(name: string): string {
  return name.replaceAll(/\p{C}/gu, "\uFFFD");
}
