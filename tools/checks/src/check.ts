// `npm run check`: everything CI says of the repository without running it.
import { runChecks } from "./checks.ts";

process.exit((await runChecks()) ? 0 : 1);
