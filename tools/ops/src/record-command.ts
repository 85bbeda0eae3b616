// Records a command that changes something, with the person who runs it, before it takes effect. `ops audit` shows the records.
import { userInfo } from "node:os";
import { beginCommand, endCommand, operatorNamed } from "@tradepost/gateway/operate";
import type { Command, Option } from "commander";
import type { Operator } from "./arguments.ts";

export const READING = new Set([
  ...["audit", "audit verify", "backlog", "backups check", "config", "dead list", "dead show"],
  ...["deliveries explain", "deliveries list", "doctor", "events find", "notices list", "outbox"],
  ...["poison list", "queues", "status", "tenant list", "usage", "user list", "verify"],
]);

/** Options whose values are secrets, or name people. */
const HIDDEN = new Set(["--lost-from", "--name", "--owner-email"]);
const UNDEFINED_TABLE = "42P01";
const ACTOR_CHARACTERS_MAX = 100;

/** Returns what records the end of the command. A command that only reads, or that only shows what it would do, is not recorded. */
export async function recordCommand(
  operator: Operator,
  command: Command,
): Promise<(exitStatus: number) => Promise<void>> {
  const name = nameOf(command);
  if (READING.has(name) || onlyShows(name, command)) return async () => {};
  const begun = { actor: actorName(), command: name, arguments: wordsOf(command) };
  const id = await operator.ifReachable(
    operator
      .on<"gateway", string | null>("gateway", (db) => beginCommand(db, begun))
      .catch((error) => {
        // The database was restored to a time before the table.
        if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error;
        operator.note("This command is not recorded: the gateway's database has no table for it.");
        return null;
      }),
  );
  return async (exitStatus) => {
    // The command has had its effect. A record without an end says that it began.
    if (id !== null) await operator.on("gateway", (db) => endCommand(db, id, exitStatus)).catch(() => {});
  };
}

export function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}

function onlyShows(name: string, command: Command): boolean {
  const { dryRun, yes } = command.opts();
  const needsYes = command.options.some(({ long }) => long === "--yes");
  const isQuestion = name === "tenant quota" && Object.keys(command.opts()).length === 0;
  return dryRun === true || (needsYes && yes !== true) || isQuestion;
}

function wordsOf(command: Command): string[] {
  const options = command.options.flatMap((option) =>
    wordsOfOption(option, command.opts()[option.attributeName()]),
  );
  return [...command.args, ...options].map(withoutEmail);
}

function wordsOfOption({ long }: Option, value: unknown): string[] {
  if (typeof long !== "string" || value === undefined) return [];
  if (value === true) return [long];
  return [long, HIDDEN.has(long) ? "…" : value instanceof Date ? value.toISOString() : String(value)];
}

/** Leaves the first letter of an e-mail, and its domain. */
function withoutEmail(word: string): string {
  return word.replace(/^(.)[^@]*@/s, "$1…@");
}

/** The actor in the tenants' audit log. Tenants see no names of logins. */
export function auditActor() {
  return operatorNamed(process.env.OPS_ACTOR);
}

/** OPS_ACTOR, or else the name of the login. */
function actorName(): string {
  return (process.env.OPS_ACTOR || loginName()).slice(0, ACTOR_CHARACTERS_MAX);
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no name.
    return `uid ${process.getuid?.()}`;
  }
}
