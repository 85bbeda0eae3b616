// The receivers of docs/receivers, which tests run against the platform. The build copies each into a file of its own, which is
// loaded when it is shown.

const LOADERS = import.meta.glob<string>("../../../../../docs/receivers/*", {
  query: "?raw",
  import: "default",
});

export const SAMPLES = [
  { file: "node.mts", name: "Node" },
  { file: "express.mts", name: "Node with Express" },
  { file: "standard-webhooks.mts", name: "Node with standardwebhooks" },
  { file: "receiver.py", name: "Python" },
  { file: "receiver.php", name: "PHP" },
  { file: "receiver.go", name: "Go" },
  { file: "receiver.rb", name: "Ruby" },
] as const;

export type SampleFile = (typeof SAMPLES)[number]["file"];

export async function loadSample(file: SampleFile): Promise<string> {
  const load = LOADERS[`../../../../../docs/receivers/${file}`];
  if (load === undefined) throw new Error(`the build has no ${file}`);
  return await load();
}
