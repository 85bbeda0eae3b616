// `npm run demo` shows the platform's features on a running `npm start`.
import { print, readPlatformFile } from "./read-platform-file.ts";
import { tour } from "./tour.ts";

process.exitCode = await tour(readPlatformFile()).then(
  () => 0,
  (error: Error) => {
    print(`\n${error.message}`);
    return 1;
  },
);
