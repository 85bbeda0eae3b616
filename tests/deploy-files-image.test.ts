// The Dockerfile builds an image of one service, which runs on Node 24 and not as root.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { SERVICES } from "@tradepost/devstack";
import { ROOT } from "./support/compose-file.ts";
import { dockerfileStages, environmentOf, finalImage, theOnly } from "./support/dockerfile.ts";

/** The image of the Node release on which the tests run. */
const NODE_IMAGE = `node:${process.versions.node}-bookworm-slim`;
const image = finalImage();

describe("the Dockerfile", () => {
  test("ends in an image of one service, on the Node of the tests, for a user who is not root", () => {
    expect(image).toMatchObject({ base: NODE_IMAGE, name: "service" });
    expect(theOnly("USER", image)).toBe("1000:1000");
    expect(environmentOf(image)).toMatchObject({ HOST: "0.0.0.0", PORT: theOnly("EXPOSE", image) });
  });

  test("uses only earlier stages and copies only existing files", () => {
    const known = new Set([NODE_IMAGE]);
    for (const { base, name, instructions } of dockerfileStages()) {
      expect(known).toContain(base);
      known.add(name);
      const args = instructions.flatMap(({ keyword, rest }) => (keyword === "ARG" ? [rest.split("=")] : []));
      for (const copy of instructions.filter(({ keyword }) => keyword === "COPY")) {
        const written = args.reduce(
          (text, [arg, value]) => (value === undefined ? text : text.replaceAll(`\${${arg}}`, value)),
          copy.rest,
        );
        const { stage, sources } = readCopy(written);
        if (stage !== undefined) expect(known).toContain(stage);
        else expect(sources.filter((source) => !existsSync(path.join(ROOT, source)))).toEqual([]);
      }
    }
  });

  test("checks its health with Node, on the port that it listens on", () => {
    const [, command = ""] = /CMD (\[.*\])$/.exec(theOnly("HEALTHCHECK", image)) ?? [];
    const [program, ...args] = JSON.parse(command) as string[];
    expect(program).toBe("node");
    expect(args.join(" ")).toContain("process.env.PORT + '/healthz'");
    // No program listens on the discard port.
    expect(spawnSync(process.execPath, args, { env: { PORT: "9" } }).status).toBe(1);
  });
});

/** Parses a COPY for each service. Its source is a stage or files of the repository. */
function readCopy(rest: string): { stage: string | undefined; sources: string[] } {
  const [, stage] = /^--from=(\S+)/.exec(rest) ?? [];
  const sources = rest.split(" ").slice(0, -1);
  return {
    stage,
    sources: SERVICES.flatMap((name) => sources.map((source) => source.replace(/\$\{SERVICE\}/, name))),
  };
}
