import { type Command, InvalidArgumentError } from "commander";
import type { Tradepost } from "../../create-client.ts";
import { TradepostError } from "../../tradepost-error.ts";
import { connect } from "../connection.ts";
import { UsageError } from "../usage-error.ts";
import { findTarget } from "./forward-target.ts";
import { listen } from "./listen.ts";
import { openListener } from "./open-listener.ts";
import { createPrinter } from "./printer.ts";
import { openSecrets } from "./secrets.ts";

interface Options {
  readonly forwardTo?: string;
  readonly events?: string[];
  readonly name?: string;
  readonly resend?: string;
  readonly printSecret?: true;
  readonly allowRemote?: true;
  readonly delete?: true;
  readonly json?: true;
}

const HELP = `
The listener is kept when the program ends: events that happen meanwhile are forwarded when it is started again with the same
name and events. One that is not used for 24 hours pauses, and goes on when it is used again.

Without TRADEPOST_URL and TRADEPOST_API_KEY it uses the demo tenant of a platform that \`npm start\` runs.`;

export function addListenCommand(program: Command): void {
  program
    .command("listen")
    .description("Forwards webhooks to a program on this machine, and reports its responses.")
    .option("--forward-to <url>", "where to send them, such as http://localhost:3000/hooks")
    .option("--events <types>", "event types, separated by commas (default: all)", listOf)
    .option("--name <name>", "the listener's name (default: this machine and the address)")
    .option(
      "--resend <deliveryId>",
      "send a delivery again; without --forward-to by a program that runs already",
    )
    .option("--print-secret", "print the signing secret, for the receiver's settings")
    .option("--allow-remote", "allow an address that is not of this machine")
    .option("--delete", "delete the listener at the end, with what waits for it")
    .option("--json", "print a line of JSON for each delivery")
    .addHelpText("after", HELP)
    .action(run);
}

function listOf(text: string): string[] {
  const types = text.split(",").map((type) => type.trim());
  if (types.includes("")) throw new InvalidArgumentError("Separate the types by one comma each.");
  return types;
}

async function run(options: Options): Promise<void> {
  const { forwardTo, resend } = options;
  if (forwardTo === undefined && resend === undefined)
    throw new UsageError(
      "--forward-to is missing: name an address, such as --forward-to http://localhost:3000/hooks",
    );
  const client = connect();
  const printer = createPrinter({ isJson: options.json === true });
  // Before anything changes on the platform.
  const target =
    forwardTo === undefined ? undefined : await findTarget(forwardTo, options.allowRemote === true);
  const resentTo = resend && (await repeatDelivery(client, resend));
  if (resend) printer.note(`delivery ${resend} is sent again by the program that listens`);
  if (target === undefined) return;
  const secrets = openSecrets(process.env);
  const listener = await openListener(client, secrets, { ...options, target: target.url });
  if (resentTo && resentTo !== listener.id) {
    printer.note(
      `delivery ${resend} waits for listener ${resentTo}, not for this one: use its address, --events and --name`,
    );
  }
  await listen({ client, listener, target, printer, deletesAtEnd: options.delete === true });
}

/** Redelivers for `--resend`. Resolves with the listener's id; rejects with a UsageError if no listener has the delivery. */
async function repeatDelivery(client: Tradepost, deliveryId: string): Promise<string> {
  try {
    const { subscriptionId } = await client.deliveries.get(deliveryId);
    await client.listeners.redeliver(subscriptionId, deliveryId);
    return subscriptionId;
  } catch (error) {
    if (error instanceof TradepostError && error.code === "not_found")
      throw new UsageError(`${deliveryId} is not a delivery of a listener.`);
    throw error;
  }
}
