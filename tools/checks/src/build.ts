// `npm run tool -- build`: compiles every package and service that has changed.
import { onStopRequest } from "@tradepost/devstack";
import { endGroup, exitCodeOf, startTurbo } from "./turbo.ts";

const build = startTurbo(["build", ...process.argv.slice(2)], { stdio: ["ignore", "inherit", "inherit"] });
onStopRequest(() => endGroup(build));
process.exit(
  await exitCodeOf(build).catch((error: Error) => {
    console.error(error.message);
    return 1;
  }),
);
