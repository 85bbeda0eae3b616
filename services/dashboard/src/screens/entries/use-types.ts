// The content types that entries are made of.
import { useList } from "../../data/use-list.ts";
import type { TypeField } from "./field-values.ts";

const QUERY = { limit: 100 };
const NONE: readonly TypeField[] = [];

/** Reads the newest hundred. An entry of any other type shows the type's slug. */
export function useTypes() {
  const list = useList("listContentTypes", QUERY);
  const types = list.items ?? [];
  return {
    list,
    types,
    nameOf: (slug: string) => types.find((type) => type.slug === slug)?.name ?? slug,
    fieldsOf: (slug: string) => types.find((type) => type.slug === slug)?.fields ?? NONE,
  };
}
