/** The version of package.json, written by `npm run docs`. */
export const VERSION = "0.2.0";
