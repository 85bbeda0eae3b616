/** The version in package.json; `npm run docs` writes it. */
export const VERSION = "0.2.0";
