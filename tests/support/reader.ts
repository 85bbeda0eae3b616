// A new user of a platform: reads its pages over HTTP, and runs their blocks of code in an empty folder, in one environment.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "@tradepost/devstack";
import { apiClient } from "@tradepost/testing";
import { startListening } from "./listen-program.ts";
import type { SharedPlatform, TestTenant } from "./test-platform.ts";

const PROGRAM = path.join(ROOT, "packages/client/src/cli/tradepost.ts");

export interface Block {
  readonly page: string;
  readonly heading: string;
  readonly language: string;
  readonly code: string;
}

/** Returns the pages that a section of /llms.txt lists, with their text. */
export async function readPages(url: string, section: string): Promise<{ page: string; text: string }[]> {
  const list = (await apiClient(url).get("/llms.txt")).text;
  const listed = list.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? "";
  const pages = [...listed.matchAll(/\]\((\/[^)]+\.md)\)/g)].map(([, page = ""]) => page);
  expect(pages).not.toEqual([]);
  return Promise.all(
    pages.map(async (page) => {
      const { status, text } = await apiClient(url).get(page);
      expect([page, status]).toEqual([page, 200]);
      return { page, text };
    }),
  );
}

/** Returns every block of code in order, with the nearest heading above it. */
export function blocksOf({ page, text }: { page: string; text: string }): Block[] {
  let heading = "";
  return [...text.matchAll(/^#+ (.+)$|^ *```(.*)\n([\s\S]*?)^ *```$/gm)].flatMap(
    ([, title, language = "", code]) => {
      if (code !== undefined) return [{ page, heading, language, code }];
      heading = title ?? "";
      return [];
    },
  );
}

/** `replaced` has addresses of the pages, with their replacements here. */
export async function startReader(
  platform: SharedPlatform,
  { tenant, ...given }: { tenant: TestTenant; replaced?: Record<string, string>; env?: NodeJS.ProcessEnv },
) {
  const folder = await mkdtemp(path.join(tmpdir(), "tradepost-reader-"));
  const { apiKey, customerId, ownerEmail, ownerPassword } = tenant;
  const stack = { gatewayUrl: platform.url, demo: { apiKey, customerId, ownerEmail, ownerPassword } };
  await mkdir(path.join(folder, ".data/ca"), { recursive: true });
  const save = (more = {}) =>
    writeFile(path.join(folder, ".data/stack.json"), JSON.stringify({ ...stack, ...more }));
  await save();
  let env: NodeJS.ProcessEnv = { PATH: process.env.PATH, NODE_NO_WARNINGS: "1", ...given.env };
  const here = (code: string) =>
    Object.entries({
      "http://127.0.0.1:8080": platform.url,
      "https://shop.example.com": platform.url,
      // As npm runs it, but in the folder of the test.
      "npm run api --": `'${process.execPath}' --conditions=source '${PROGRAM}' api`,
      ...given.replaced,
    }).reduce((text, [printed, actual]) => text.replaceAll(printed, actual), code);

  /** Runs a program and returns its output. */
  const execute = async (command: string, args: readonly string[]) => {
    const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    let [output, errors] = ["", ""];
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (errors += chunk));
    const [code] = await once(child, "close");
    expect([args.at(-1), code, code === 0 || errors]).toEqual([args.at(-1), 0, true]);
    return output;
  };

  return {
    folder,
    here,
    /** Adds to what `npm start` has written. */
    save,
    env: () => env,
    /** Runs commands with the variables that earlier commands have set. An unset variable is a failure. */
    run: async (code: string) => {
      const output = await execute("bash", ["-aeuo", "pipefail", "-c", `${here(code)}\nenv -0 > .env`]);
      const lines = (await readFile(path.join(folder, ".env"), "utf8")).split("\0").filter(Boolean);
      env = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
      return output;
    },
    /** Starts the `npm run listen` of a page, which forwards to `receiver`. */
    listen: (code: string, receiver: string) => {
      const [, words = ""] = /^npm run listen -- (.*)$/m.exec(code) ?? [];
      const state = { TRADEPOST_DATA_DIR: path.join(folder, ".data"), XDG_STATE_HOME: folder };
      return startListening(state, ...words.replace("http://localhost:3000/hooks", receiver).split(" "));
    },
    /** Runs a TypeScript program with the packages that it imports. */
    runProgram: async (code: string) => {
      for (const [, name = ""] of code.matchAll(/ from "(@[^/"]+\/[^/"]+|[^@/":]+)"/g)) {
        const homes = ["packages/testing", "services/webhooks", "tests"].map((home) =>
          path.join(ROOT, home, "node_modules", name),
        );
        const link = path.join(folder, "node_modules", name);
        await mkdir(path.dirname(link), { recursive: true });
        if (!existsSync(link)) await symlink(homes.find(existsSync) ?? `/no package ${name}`, link);
      }
      await writeFile(path.join(folder, "program.mts"), here(code));
      return execute(process.execPath, ["program.mts"]);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
