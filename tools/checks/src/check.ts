// `npm run check`: all checks of CI that do not run the code.
import { runChecks } from "./checks.ts";

process.exit((await runChecks()) ? 0 : 1);
