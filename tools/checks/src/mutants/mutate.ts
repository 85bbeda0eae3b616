// Lists the mutants of a module: copies with one small change each, which a test should notice. Pure.
import ts from "typescript";

export interface Mutant {
  /** The replaced part of the source. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly line: number;
  /** `<before> → <after> in: <line>`, by which the list of survivors names it. No other mutant of the module has this name. */
  readonly change: string;
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  ...{ "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"], "**": ["*"], "+=": ["-="], "-=": ["+="] },
  ...{ "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"] },
  ...{ "===": ["!=="], "!==": ["==="], "&&": ["||"], "||": ["&&"], "??": ["&&"] },
};
const METHODS = new Map(
  Object.entries({
    ...{ some: "every", every: "some", min: "max", max: "min", padStart: "padEnd", padEnd: "padStart" },
    ...{ startsWith: "endsWith", endsWith: "startsWith", floor: "ceil", ceil: "floor", find: "findLast" },
    ...{ push: "unshift", shift: "pop", has: "delete" },
  }),
);
/** Calls that are left out: `items.filter(isOpen)` becomes `items`. */
const LEFT_OUT = new Set([
  "filter",
  "slice",
  "sort",
  "toSorted",
  "toReversed",
  "reverse",
  "trim",
  "trimEnd",
  "toLowerCase",
]);
const TEXT_MAX = 60;

export function mutantsOf(source: string, file: string): Mutant[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const lines = source.split("\n");
  const mutants: Mutant[] = [];
  const countByName = new Map<string, number>();
  visit(parsed);
  return mutants;

  function visit(node: ts.Node): void {
    if (isOfTypes(node)) return;
    for (const [part, replacement] of changesOf(node, parsed)) {
      const [start, end] = [part.getStart(parsed), part.getEnd()];
      const { line } = parsed.getLineAndCharacterOfPosition(start);
      const change = `${shorten(source.slice(start, end))} → ${shorten(replacement)} in: ${lines[line]?.trim()}`;
      mutants.push({ start, end, replacement, line: line + 1, change: numbered(change) });
    }
    ts.forEachChild(node, visit);
  }

  function numbered(name: string): string {
    const count = (countByName.get(name) ?? 0) + 1;
    countByName.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  }
}

/** Reports whether no part of the node exists when the program runs. */
function isOfTypes(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node)
  );
}

type Change = readonly [part: ts.Node, replacement: string];

function changesOf(node: ts.Node, file: ts.SourceFile): Change[] {
  const text = (of: ts.Node) => of.getText(file);
  if (ts.isBinaryExpression(node)) {
    const { operatorToken } = node;
    return (OPERATORS[text(operatorToken)] ?? []).map((other) => [operatorToken, other]);
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return [[node, text(node.operand)]];
  }
  if (ts.isIfStatement(node)) return conditions(node.expression);
  if (ts.isConditionalExpression(node)) return conditions(node.condition);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [[node, "false"]];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [[node, "true"]];
  if (ts.isNumericLiteral(node)) return isConstant(node) ? [] : [[node, String(Number(node.text) + 1)]];
  if (ts.isBigIntLiteral(node))
    return isConstant(node) ? [] : [[node, `${BigInt(node.text.slice(0, -1)) + 1n}n`]];
  if (ts.isStringLiteral(node) && !isName(node)) return [[node, node.text === "" ? '"mutant"' : '""']];
  if (ts.isTemplateExpression(node)) return [[node, '"mutant"']];
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) return [[node, "[]"]];
  if (ts.isBlock(node) && node.statements.length > 0 && ts.isFunctionLike(node.parent)) return [[node, "{}"]];
  if (ts.isExpressionStatement(node)) return [[node, ";"]];
  if (ts.isSpreadAssignment(node)) return [[node, "...{}"]];
  return ts.isCallExpression(node) ? callChanges(node, text) : [];
}

function conditions(condition: ts.Expression): Change[] {
  return [
    [condition, "true"],
    [condition, "false"],
  ];
}

function callChanges({ expression }: ts.CallExpression, text: (of: ts.Node) => string): Change[] {
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const { name, expression: receiver, parent } = expression;
  if (LEFT_OUT.has(name.text)) return [[parent, text(receiver)]];
  const other = METHODS.get(name.text);
  return other === undefined ? [] : [[name, other]];
}

/** Reports whether the number is part of a constant such as `UNITS_MAX`, which a test could only repeat. */
function isConstant({ parent }: ts.Node): boolean {
  if (ts.isVariableDeclaration(parent)) return /^[A-Z_\d]+$/.test(parent.name.getText());
  return ts.isBinaryExpression(parent) || ts.isPrefixUnaryExpression(parent) ? isConstant(parent) : false;
}

/** Reports whether the text names a property. */
function isName({ parent }: ts.StringLiteral): boolean {
  return ts.isElementAccessExpression(parent);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length <= TEXT_MAX ? line : `${line.slice(0, TEXT_MAX)}…`;
}
