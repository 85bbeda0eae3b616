// `npm run demo` shows the platform's features on a running `npm start`; `npm run demo -- integrator` shows how to integrate with
// it.
import { runIntegrator } from "./integrator/run-integrator.ts";
import { print } from "./print.ts";
import { readPlatformFile } from "./read-platform-file.ts";
import { tour } from "./tour.ts";

const DEMOS = { tour, integrator: runIntegrator };

process.exitCode = await demo(process.argv[2] ?? "tour").then(
  () => 0,
  (error: Error) => {
    print(`\n${error.message}`);
    return 1;
  },
);

async function demo(name: string): Promise<void> {
  if (!Object.hasOwn(DEMOS, name)) {
    throw new Error(`No demo is called ${name}. Use one of ${Object.keys(DEMOS).join(", ")}.`);
  }
  await DEMOS[name as keyof typeof DEMOS](readPlatformFile());
}
