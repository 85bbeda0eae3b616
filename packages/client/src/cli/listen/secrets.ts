// Keeps the signing secrets of the listeners that this machine created, each in a file that only its user can read.
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { UsageError } from "../usage-error.ts";

export type Secrets = ReturnType<typeof openSecrets>;

/** In `$XDG_STATE_HOME/tradepost`, by default `~/.local/state/tradepost`. */
export function openSecrets({ XDG_STATE_HOME: home }: NodeJS.ProcessEnv) {
  const directory = path.join(home || path.join(homedir(), ".local/state"), "tradepost/listeners");
  const fileOf = (id: string) => path.join(directory, path.basename(id));
  return {
    /** Returns undefined if the listener was created elsewhere. */
    read: (id: string) => {
      try {
        return readFileSync(fileOf(id), "utf8").trim();
      } catch {
        return undefined;
      }
    },
    /** Throws a UsageError if a secret cannot be kept. Call it before creating one, which the platform shows only once. */
    prepare: () => {
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        accessSync(directory, constants.W_OK);
      } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        throw new UsageError(
          `The signing secret cannot be kept in ${directory} (${code}). Set XDG_STATE_HOME to a directory that can be written.`,
        );
      }
    },
    write: (id: string, secret: string) => writeFileSync(fileOf(id), `${secret}\n`, { mode: 0o600 }),
  };
}
