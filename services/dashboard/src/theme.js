// Sets the chosen theme before the first paint (src/shell/theme.ts). The build puts it into the page, because modules run after the page
// was painted.
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
