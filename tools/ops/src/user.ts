// `ops user list`, `setup-link` and `reset-second-factor`: lists a tenant's staff, and lets in a user who forgot the password or lost
// the phone.
import { staffAccess } from "@tradepost/gateway/operate";
import type { Command } from "commander";
import type { Operator } from "./arguments.ts";
import { auditActor } from "./record-command.ts";
import { table } from "./table.ts";

export function addUserCommands(program: Command, operator: Operator): void {
  const user = program.command("user").description("the staff of a tenant");
  user
    .command("list")
    .description("list the staff of a tenant")
    .requiredOption("--tenant <slug>", "the tenant's slug")
    .action(async ({ tenant }: { tenant: string }) => {
      const rows = await operator.on("gateway", (db) => staffAccess.listStaff(db, tenant));
      operator.print(rows, table(rows, "The tenant has no users."));
    });
  user
    .command("setup-link")
    .description("make a one-time link with which a user, also an only owner, sets a new password")
    .argument("<e-mail>", "the user's e-mail")
    .action(async (email: string) => {
      const link = await operator.on("gateway", (db) =>
        staffAccess.makeSetupLinkFor(db, email, auditActor()),
      );
      operator.print(
        link,
        `The token for ${email} is ${link.token}\n` +
          `It is valid once, until ${link.expiresAt.toISOString()}, and is not shown again. Pass it on by hand. The user\n` +
          'sends {"token", "password"} to POST /v1/auth/setup; the old password works until then.',
      );
    });
  user
    .command("reset-second-factor")
    .description("remove the second factor of a user, also an only owner, who has lost it")
    .argument("<e-mail>", "the user's e-mail")
    .action(async (email: string) => {
      const endedSessions = await operator.on("gateway", (db) =>
        staffAccess.resetSecondFactorOf(db, email, auditActor()),
      );
      operator.print(
        { endedSessions },
        `${email} has no second factor any more, and signs in with the password. Sessions ended: ${endedSessions}.`,
      );
    });
}
