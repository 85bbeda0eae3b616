import { paramsIn, pathIndex } from "./path-index.ts";

const patterns = [
  "/notes",
  "/notes/:id",
  "/notes/new",
  "/notes/:id/lines/:line",
  "/files/*path",
  "/files/images/*name",
];
const at = pathIndex(patterns.map((path) => ({ path })));

test.each([
  ["/notes", ["/notes"]],
  ["/notes/", ["/notes"]],
  ["/notes/7", ["/notes/:id"]],
  ["/notes/new", ["/notes/new", "/notes/:id"]],
  ["/notes/new/lines/2", ["/notes/:id/lines/:line"]],
  ["/files", ["/files/*path"]],
  ["/files/images/a/b", ["/files/images/*name", "/files/*path"]],
  ...["", "*", "/", "/Notes", "/notes//", "/notes//lines/2", "/notes/7/lines"].map(
    (path) => [path, []] as const,
  ),
])("the patterns at %s", (path, expected) => {
  expect(at(path).map((entry) => entry.path)).toEqual(expected);
});

test.each([
  ["/notes/:id/lines/:line", "/notes/a%2Fb/lines/%C3%A4/", { id: "a/b", line: "ä" }],
  ["/files/*path", "/files/a/%20/c", { path: "a/ /c" }],
  ["/files/*path", "/files", { path: "" }],
  ["/notes/:id", "/notes/%zz", null],
])("the values in %s of %s", (pattern, path, params) => {
  expect(paramsIn(pattern, path)).toEqual(params);
});
