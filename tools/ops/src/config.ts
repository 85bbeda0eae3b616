// `ops config`: the settings of each service as it reads them, with fingerprints for secrets (interface §9).
import * as content from "@tradepost/content/config";
import * as gateway from "@tradepost/gateway/config";
import * as orders from "@tradepost/orders/config";
import { showSettings, unknownSettings } from "@tradepost/runtime";
import * as webhooks from "@tradepost/webhooks/config";
import { Argument, type Command } from "commander";
import { SERVICES, type ServiceName } from "./addresses.ts";
import type { Operator } from "./arguments.ts";
import { table } from "./table.ts";

export const CONFIGS = { gateway, orders, content, webhooks };

export function addConfigCommand(program: Command, operator: Operator): void {
  program
    .command("config")
    .description("the settings of each service, and where each comes from; exit status 1 if one is wrong")
    .addArgument(new Argument("[service]", "by default all").choices(SERVICES))
    .action((service?: ServiceName) => {
      const configs = (service === undefined ? SERVICES : [service]).map((name) =>
        readConfig(name, operator),
      );
      operator.print(configs, configs.map(pageOf).join("\n\n"));
      if (configs.some(({ faults }) => faults.length > 0)) operator.fail();
    });
}

function readConfig(service: ServiceName, { environment }: Operator) {
  const { of, variables } = environment(service);
  const { settings } = CONFIGS[service];
  const shown = showSettings(settings, variables);
  return {
    ...{ service, of },
    settings: shown.map(({ name, value, source }) => ({ name, value, source })),
    faults: shown.flatMap(({ name, fault }) => (fault === null ? [] : [`${name} ${fault}`])),
    unknown: unknownSettings(service, settings, variables),
  };
}

function pageOf({ service, of, settings, faults, unknown }: ReturnType<typeof readConfig>): string {
  return [
    `Settings of ${service}, from ${of}:`,
    table(settings, ""),
    ...(faults.length === 0 ? [] : [`Settings are missing or wrong: ${faults.join("; ")}.`]),
    ...(unknown.length === 0 ? [] : [`No settings, perhaps misspelt: ${unknown.join(", ")}.`]),
  ].join("\n");
}
