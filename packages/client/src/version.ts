/** The version of package.json, written by `npm run tool -- docs`. */
export const VERSION = "1.0.0";
