import { programOf } from "./user-agent.ts";

const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

test.each([
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0", "Firefox on Windows"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME}`, "Chrome on Linux"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME.replace("Chrome", "HeadlessChrome")}`, "Chrome on Linux"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/141.0.0.0`, "Edge on Windows"],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-S918B) ${CHROME.replace("Chrome", "SamsungBrowser/28.0 Chrome")}`,
    "Samsung Internet on Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
    "Safari on macOS",
  ],
  ["Mozilla/5.0 (compatible; Example/1.0)", "Mozilla/5.0 (compatible; Example/1.0)"],
  ["curl/8.5.0", "curl 8.5.0"],
  ["harbour-goods/1.4 (+https://harbour-goods.example)", "harbour-goods 1.4"],
  ["something else", "something else"],
  ["x".repeat(500), `${"x".repeat(60)}…`],
  ["", "Unknown program"],
  [null, "Unknown program"],
])("%s is %s", (userAgent, program) => {
  expect(programOf(userAgent)).toBe(program);
});
