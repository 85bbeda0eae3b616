import { createPreference } from "../session/storage.ts";
import { createStore } from "../session/store.ts";

export const overlay = createStore<"search" | "shortcuts" | null>(null);

export const singleKeys = createPreference("tradepost-single-keys", ["on", "off"]);

export const SEARCH_KEYS = [/mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : "Ctrl", "K"];
