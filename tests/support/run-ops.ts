// Runs an operators' command in the test's own process, because starting another process takes a second.
import { runCommand } from "@tradepost/ops/run-command";
import type { TestPlatform } from "./test-platform.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns a function that runs `npm run ops -- <words>` on the platform. */
export function opsOn({
  databases,
  broker,
  mediaDir,
}: Pick<TestPlatform, "databases" | "broker" | "mediaDir">) {
  return async (...words: string[]): Promise<Ran> => {
    let [stdout, stderr] = ["", ""];
    const code = await runCommand(words, {
      addresses: () => ({
        ...{ databases, amqpUrl: broker.amqpUrl, managementUrl: broker.managementUrl },
        mediaEnvironment: { CONTENT_MEDIA_DIR: mediaDir },
      }),
      writeOut: (text) => (stdout += `${text}\n`),
      writeError: (text) => (stderr += `${text}\n`),
    });
    return { code, stdout, stderr };
  };
}
