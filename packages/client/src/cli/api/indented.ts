const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/** Indents JSON for a terminal. Numbers keep every digit. Characters that a terminal would interpret are escaped. */
export function indented(json: string): string {
  let depth = 0;
  let text = "";
  let before = "";
  const newLine = () => `\n${"  ".repeat(depth)}`;
  for (const [token] of json.matchAll(TOKEN)) {
    const isEmpty = before === "{" || before === "[";
    if (token === "}" || token === "]") {
      depth -= 1;
      text += isEmpty ? token : newLine() + token;
    } else {
      text += isEmpty || before === "," ? newLine() + escaped(token) : escaped(token);
      if (token === ":") text += " ";
    }
    if (token === "{" || token === "[") depth += 1;
    before = token;
  }
  return text;
}

function escaped(token: string): string {
  return token.replaceAll(/\p{C}/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
