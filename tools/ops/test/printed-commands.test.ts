// Every `npm run ops` command that a page prints exists, with its arguments and options. Nothing is run.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { nameOf, READING } from "../src/record-command.ts";
import { createProgram } from "../src/run-command.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const PREFIX = "npm run ops -- ";

const printed = execFileSync("git", ["ls-files", "*.md"], { cwd: ROOT, encoding: "utf8" })
  .trim()
  .split("\n")
  // The changelog names commands that have changed since.
  .filter((page) => page !== "CHANGELOG.md")
  .flatMap((page) => commandsOf(readFileSync(path.join(ROOT, page), "utf8")).map((line) => ({ page, line })));

describe("the operator's commands in the pages", () => {
  test("are found", () => {
    expect(printed.length).toBeGreaterThan(50);
  });

  test.each(printed)("$page: $line", async ({ line }) => {
    expect(await parse(line)).toEqual({ line, isParsed: true, errors: [] });
  });

  test("an unknown command, an unknown option and a missing argument would be found", async () => {
    for (const line of ["backlogs", "dead list --subscriptions <id>", "events find", "verify --since noon"])
      expect(await parse(line)).toMatchObject({ isParsed: false, errors: [expect.any(String)] });
  });
});

test("every command is known as one that only reads, or is recorded", () => {
  const changing = commandsUnder(programOf([]))
    .map(nameOf)
    .filter((name) => !READING.has(name));
  expect(changing.sort()).toEqual([
    ...["dead purge", "dead redrive", "events republish", "keys rotate-sealing", "outbox unpark"],
    ...["poison purge", "poison redrive", "restored", "tenant create", "tenant delete", "tenant export"],
    ...["tenant quota", "tenant resume", "tenant suspend", "user reset-second-factor", "user setup-link"],
  ]);
});

/** Returns the texts after the prefix, up to the end of the code: a backtick, a comment or the end of the line. */
function commandsOf(text: string): string[] {
  return text.split("\n").flatMap((line) =>
    line
      .split(PREFIX)
      .slice(1)
      .map((rest) => (rest.split(/`|\s#/, 1)[0] ?? "").trim())
      // Some sentences name the program, a group such as `dead`, or a command without its argument.
      .filter((command) => !/^(<command>.*|…|dead|restored|user setup-link)$/.test(command)),
  );
}

/** Parses a command as `runCommand` does, without running it. */
async function parse(line: string): Promise<{ line: string; isParsed: boolean; errors: string[] }> {
  const errors: string[] = [];
  const program = programOf(errors);
  let isParsed = false;
  for (const command of commandsUnder(program))
    command.action(() => {
      isParsed = true;
    });
  const words = line.split(/\s+/).map(fillIn);
  await program.parseAsync(words, { from: "user" }).catch(() => {});
  return { line, isParsed, errors };
}

function programOf(errors: string[]): Command {
  const refuse = () => {
    throw new Error("A command ran.");
  };
  return createProgram(
    {
      ...{ addresses: refuse, on: refuse, onEach: refuse },
      environment: () => ({ of: "", variables: {} }),
      print: () => {},
      note: () => {},
      fail: () => {},
      ifReachable: (work) => work,
    },
    { writeOut: () => {}, writeError: (text) => errors.push(text) },
  );
}

/** Every command that does something: commands without subcommands, and `outbox`, which also has one. */
function commandsUnder(command: Command): readonly Command[] {
  if (command.commands.length === 0) return [command];
  const below = command.commands.flatMap(commandsUnder);
  return command.name() === "outbox" ? [command, ...below] : below;
}

/** A value for a placeholder, such as <deliveryId>. */
function fillIn(word: string): string {
  if (!/^<.*>$/.test(word)) return word;
  if (/time/i.test(word)) return "2026-11-22T14:00:00Z";
  if (word === "<service>") return "orders";
  if (word === "<e-mail>") return "owner@acme.example";
  return "01890000-0000-7000-8000-000000000000";
}
