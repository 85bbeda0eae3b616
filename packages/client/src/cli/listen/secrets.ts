// The signing secrets of the listeners that this machine has created, each in a file that only its user can read.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

export interface Secrets {
  /** Undefined if the listener was created elsewhere. */
  read(listenerId: string): string | undefined;
  write(listenerId: string, secret: string): void;
}

/** In `$XDG_STATE_HOME/tradepost`, by default `~/.local/state/tradepost`. */
export function openSecrets({ XDG_STATE_HOME: home }: NodeJS.ProcessEnv): Secrets {
  const directory = path.join(home || path.join(homedir(), ".local/state"), "tradepost/listeners");
  const fileOf = (id: string) => path.join(directory, path.basename(id));
  return {
    read: (id) => {
      try {
        return readFileSync(fileOf(id), "utf8").trim();
      } catch {
        return undefined;
      }
    },
    write: (id, secret) => {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      writeFileSync(fileOf(id), `${secret}\n`, { mode: 0o600 });
    },
  };
}
