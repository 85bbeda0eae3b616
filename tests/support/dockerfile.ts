// Parses the stages of deploy/Dockerfile. It supports what that file uses: comments, continued lines and FROM … AS ….
import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "@tradepost/devstack";

export interface Stage {
  base: string;
  name: string;
  instructions: { keyword: string; rest: string }[];
}

const KEYWORDS = new Set(
  "FROM ARG ENV RUN COPY WORKDIR USER EXPOSE LABEL CMD ENTRYPOINT HEALTHCHECK STOPSIGNAL".split(" "),
);

/** Returns the last stage, which Docker builds by default. */
export function finalImage(): Stage {
  const image = dockerfileStages().at(-1);
  if (image === undefined) throw new Error("deploy/Dockerfile has no stage");
  return image;
}

/**
 * Returns the stages. Throws for an unknown instruction, and for an instruction before the first FROM that is not an ARG of the
 * FROMs.
 */
export function dockerfileStages(): Stage[] {
  const text = readFileSync(path.join(ROOT, "deploy/Dockerfile"), "utf8");
  const stages: Stage[] = [];
  const defaults: Record<string, string> = {};
  for (const line of logicalLines(text)) {
    const [, keyword = "", rest = ""] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? [];
    if (!KEYWORDS.has(keyword)) throw new Error(`not an instruction: ${line}`);
    const stage = stages.at(-1);
    const [, name, value] = /^(\w+)=(\S+)$/.exec(rest) ?? [];
    if (keyword === "FROM") stages.push(openStage(withDefaults(rest, defaults)));
    else if (stage === undefined && keyword === "ARG" && name && value) defaults[name] = value;
    else if (stage === undefined) throw new Error(`before the first FROM: ${line}`);
    else stage.instructions.push({ keyword, rest });
  }
  return stages;
}

function logicalLines(text: string): string[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, "")
    .replace(/\\\n\s*/g, "")
    .split("\n");
  return lines.filter((line) => line.trim() !== "");
}

function withDefaults(text: string, defaults: Record<string, string>): string {
  return text.replace(/\$\{(\w+)\}/g, (written, name: string) => defaults[name] ?? written);
}

function openStage(rest: string): Stage {
  const [, base, name] = /^(\S+) AS (\S+)$/.exec(rest) ?? [];
  if (base === undefined || name === undefined) throw new Error(`FROM ${rest}: without a name`);
  return { base, name, instructions: [] };
}

/** Returns the arguments of an instruction that the stage must have exactly once. */
export function theOnly(keyword: string, stage: Stage): string {
  const [found, ...others] = stage.instructions.filter((instruction) => instruction.keyword === keyword);
  if (found === undefined || others.length > 0) throw new Error(`${stage.name} has not one ${keyword}`);
  return found.rest;
}

/** Returns the ENV variables of a stage by name. */
export function environmentOf(stage: Stage): Record<string, string> {
  return Object.fromEntries(
    theOnly("ENV", stage)
      .split(" ")
      .map((pair) => pair.split("=")),
  );
}
