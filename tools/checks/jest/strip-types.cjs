// Lets jest read TypeScript by the same means as Node itself: the types are blanked out, so that lines and
// columns stay where they are. Runs once for each file that a test loads, then jest keeps the result.
const { createHash } = require("node:crypto");
const { stripTypeScriptTypes } = require("node:module");

module.exports = {
  process: (source) => ({ code: stripTypeScriptTypes(source, { mode: "strip" }) }),
  getCacheKey: (source, file, { instrument }) =>
    createHash("sha256").update(`${process.version} ${instrument} ${file}\n${source}`).digest("hex"),
};
