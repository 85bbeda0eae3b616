export { listenCommands, useOwnValues } from "./own-values.tsx";
