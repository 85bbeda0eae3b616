// Strips types as Node does: it replaces them with spaces, so that lines and columns do not change. Jest caches the result
// for each file.
const { createHash } = require("node:crypto");
const { stripTypeScriptTypes } = require("node:module");

module.exports = {
  process: (source) => ({ code: stripTypeScriptTypes(source, { mode: "strip" }) }),
  getCacheKey: (source, file, { instrument }) =>
    createHash("sha256").update(`${process.version} ${instrument} ${file}\n${source}`).digest("hex"),
};
