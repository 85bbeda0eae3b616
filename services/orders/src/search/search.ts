// The door of this wing: search in the lists of orders and customers (interface §19).

export { countWords, planOf, rowsWith, WALKED_ROWS_MAX, type WordCount } from "./search-query.ts";
export { bytesOfWords, wordsOfCustomer } from "./words-of-rows.ts";
