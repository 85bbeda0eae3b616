// Sets the chosen theme before the first paint (src/shell/theme.ts). It is a script of its own, which the page waits for: modules
// run after the page was painted, and the policy allows no script in the page.
try {
  const theme = localStorage.getItem("tradepost-theme");
  const root = document.documentElement;
  if (theme === "light" || theme === "dark") {
    root.dataset.theme = theme;
    // The styles are not there yet.
    root.style.colorScheme = theme;
  }
} catch {
  // Without storage, the system's theme is shown.
}
