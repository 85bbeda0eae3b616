// Node's packages name their platform as a text instead of a list; pnpm would install those of every platform.
export const hooks = {
  readPackage: (manifest) =>
    /^node-(linux|win)-/.test(manifest.name)
      ? { ...manifest, os: [manifest.os].flat(), cpu: [manifest.cpu].flat() }
      : manifest,
};
