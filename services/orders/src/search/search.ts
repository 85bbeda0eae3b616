// The door of this wing: search in the lists of orders and customers (interface §19).

export { readExportPage } from "./export-page.ts";
export {
  countWords,
  hasWords,
  inRange,
  planOf,
  search,
  WALKED_ROWS_MAX,
  type WordCount,
} from "./search-query.ts";
export { bytesOfWords, searchTextOf, wordsOf, wordsOfCustomer } from "./search-words.ts";
