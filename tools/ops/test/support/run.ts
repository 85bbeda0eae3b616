import { runCommand } from "../../src/run-command.ts";

/** Runs a command in the test's own process. */
export async function run(words: string, terminal: Partial<Parameters<typeof runCommand>[1]>) {
  let [stdout, stderr] = ["", ""];
  const code = await runCommand(words.split(" "), {
    addresses: () => {
      throw new Error("No addresses are needed.");
    },
    writeOut: (text) => (stdout += `${text}\n`),
    writeError: (text) => (stderr += `${text}\n`),
    ...terminal,
  });
  return { code, stdout, stderr };
}
