import { flagOf, oneOf, parameters } from "../../format/search-values.ts";

/** The form for a new type is empty, or filled with a suggestion. */
export const contentTypesSearch = parameters({ add: oneOf({ empty: null, article: null }) });

export const contentTypeSearch = parameters({ edit: flagOf });
