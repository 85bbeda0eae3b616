// `ops keys rotate-sealing`: seals the stored secrets of webhooks with the first of the sealing keys, so that other keys can be
// removed from the settings.
import type { Environment } from "@tradepost/runtime";
import { readSealingKeys, resealAll } from "@tradepost/webhooks/operate";
import type { Command } from "commander";
import type { Operator } from "./arguments.ts";
import { table } from "./table.ts";

export function addKeysCommands(program: Command, operator: Operator): void {
  program
    .command("keys")
    .description("the keys that seal stored secrets")
    .command("rotate-sealing")
    .description("seal all signing secrets and headers of webhooks with the first of WEBHOOKS_SEALING_KEYS")
    .action(async () => {
      const keys = readSealingKeys(sealingEnvironment(operator));
      const { resealed, unopened } = await operator.on("webhooks", (db) => resealAll(db, keys));
      const first = keys[0].id === null ? "WEBHOOKS_SEALING_KEY" : `the key ${keys[0].id}`;
      const sentence = `${resealed} stored ${resealed === 1 ? "value was" : "values were"} sealed with ${first}.`;
      if (unopened.length === 0) return operator.print({ resealed }, sentence);
      operator.fail();
      operator.print(
        { resealed, unopened },
        `${sentence} No key opens these, which stay as they are:\n${table(unopened, "")}`,
      );
    });
}

/** Keys in the environment of this command come before a running platform's. */
function sealingEnvironment({ environment }: Operator): Environment {
  const { env } = process;
  return env.WEBHOOKS_SEALING_KEYS || env.WEBHOOKS_SEALING_KEY ? env : environment("webhooks").variables;
}
