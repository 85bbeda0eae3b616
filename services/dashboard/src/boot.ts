// The entry of the page: continues the browser's session and reads the user while the rest of the page still loads.
import { startSession } from "./session/start.ts";

startSession();
void import("./main.tsx");
