// `ops keys rotate-sealing`: seals the stored secrets of webhooks with the first of the sealing keys, so that the others can be
// removed from the settings.
import { readFileSync } from "node:fs";
import path from "node:path";
import { readSealingKeys, resealAll } from "@tradepost/webhooks/operate";
import type { Command } from "commander";
import { dataDirectory } from "./addresses.ts";
import type { Operator } from "./arguments.ts";
import { table } from "./table.ts";
import { onService } from "./with-database.ts";

export function addKeysCommands(program: Command, operator: Operator): void {
  program
    .command("keys")
    .description("the keys that seal stored secrets")
    .command("rotate-sealing")
    .description("seal all signing secrets and headers of webhooks with the first of WEBHOOKS_SEALING_KEYS")
    .action(async () => {
      const keys = readSealingKeys(sealingEnvironment());
      const { resealed, unopened } = await onService(operator.addresses().databases, "webhooks", (db) =>
        resealAll(db, keys),
      );
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

/** The keys in the environment, or else those of a platform that `npm start` has made. */
function sealingEnvironment(): Record<string, string | undefined> {
  const { WEBHOOKS_SEALING_KEYS, WEBHOOKS_SEALING_KEY } = process.env;
  if (WEBHOOKS_SEALING_KEYS || WEBHOOKS_SEALING_KEY) return { WEBHOOKS_SEALING_KEYS, WEBHOOKS_SEALING_KEY };
  try {
    const secrets = JSON.parse(readFileSync(path.join(dataDirectory(), "secrets.json"), "utf8"));
    return {
      WEBHOOKS_SEALING_KEYS: secrets.webhooksSealingKeys,
      WEBHOOKS_SEALING_KEY: secrets.webhooksSealingKey,
    };
  } catch {
    return {};
  }
}
