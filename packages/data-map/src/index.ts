export * from "./data-map.ts";
