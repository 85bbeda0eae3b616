// `npm run tool -- NAME …`: programs that are needed too rarely for a script of their own.
const PROGRAMS: Readonly<Record<string, string>> = {
  build: "./build.ts",
  docs: "./write-docs.ts",
  routes: "../../api-description/src/print-routes.ts",
  soak: "../../chaos/src/soak.ts",
};

const [name = ""] = process.argv.splice(2, 1);
const program = PROGRAMS[name];
if (program === undefined) {
  console.error(`npm run tool -- NAME, with one of: ${Object.keys(PROGRAMS).join(", ")}.`);
  process.exit(1);
}
await import(program);
