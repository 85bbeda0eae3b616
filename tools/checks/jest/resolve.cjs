// Resolves a module. The condition "source" is for the packages of this repository only: some packages from the registry use
// the same name for TypeScript that they ship, which is not compiled here.
module.exports = (request, options) => {
  const isFromRegistry = /[\\/]node_modules[\\/]/.test(options.basedir);
  const conditions = options.conditions?.filter((condition) => !isFromRegistry || condition !== "source");
  return options.defaultResolver(request, { ...options, conditions });
};
