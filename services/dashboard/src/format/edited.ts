// The edited texts of a form, and how they differ from what is saved meanwhile. Pure.

type Texts = Readonly<Record<string, unknown>>;

/** Returns only the edited texts, so that a concurrent edit of another one is not overwritten. Null stands for an emptied one. */
export function editedTexts(
  before: object,
  texts: Readonly<Record<string, string>>,
): Record<string, string | null> {
  const given = Object.entries(texts).map(
    ([name, text]) => [name, text.trim() === "" ? null : text] as const,
  );
  return Object.fromEntries(given.filter(([name, text]) => text !== ((before as Texts)[name] ?? null)));
}

/** The texts of a change next to those that are saved now. `labels` has the fields by their names. */
export function textDifferences(labels: Readonly<Record<string, string>>, change: object, now: object) {
  const shown = (text: unknown) => String(text ?? "None");
  return Object.entries(labels).flatMap(([name, field]) => {
    const yours = (change as Texts)[name];
    return yours === undefined ? [] : [{ field, yours: shown(yours), now: shown((now as Texts)[name]) }];
  });
}
