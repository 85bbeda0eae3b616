// Runs a test file with jest-circus, as jest does by default, but lets Node load the modules. Jest would evaluate every module
// again for each test file, in a separate context and without compiled code, which takes most of the time of a whole run. Here a
// worker loads a module once. So test files share the state of modules, as the parts of one program do.
const { registerHooks } = require("node:module");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { default: circus } = require("jest-circus/runner");

const CIRCUS_STATE = path.join(path.dirname(require.resolve("jest-circus/runner")), "jestAdapterInit.js");

registerHooks({
  resolve: (specifier, context, next) => {
    if (!context.parentURL?.includes("/node_modules/")) return next(specifier, context);
    // The condition "source" is for the packages of this repository. Some packages of the registry use the same name for
    // TypeScript, which Node does not run in node_modules.
    const conditions = context.conditions.filter((condition) => condition !== "source");
    return next(specifier, { ...context, conditions });
  },
});

// Jest sends this to a worker that has no more files to run. Everything that the files share keeps running until then (sharedPlatform).
const END = 2;
process.on("message", ([type]) => {
  if (type === END) process.exit();
});

module.exports = async (globalConfig, config, environment, _runtime, testPath, sendMessageToJest) => {
  const runtime = {
    requireInternalModule: requireAnew,
    requireModule: require,
    setGlobalsForRuntime: (globals) => Object.assign(globalThis, globals),
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (file) => import(pathToFileURL(file).href),
    enterTestCode: () => {},
    leaveTestCode: () => {},
  };
  return await circus(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
};

/** Loads the module of jest-circus again, so that its state does not contain the tests of the previous file. */
function requireAnew(file) {
  if (file === CIRCUS_STATE) {
    delete require.cache[file];
    delete globalThis[Symbol.for("EVENT_HANDLERS")];
  }
  return require(file);
}
