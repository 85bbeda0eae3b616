// The keys that open the search, as the keyboard of this machine names them.

export const SEARCH_KEYS = [/mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : "Ctrl", "K"];
