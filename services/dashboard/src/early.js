// Sets the chosen theme (src/shell/theme.tsxx), and shows the skeleton of the screens to a browser that has a session
// (src/session/session.ts): others see the sign-in next. The build puts it into the page, because modules run after the first paint.
try {
  const theme = localStorage.getItem("tradepost-theme");
  const root = document.documentElement;
  if (theme === "light" || theme === "dark") {
    root.dataset.theme = theme;
    // The styles are not there yet.
    root.style.colorScheme = theme;
  }
  document.getElementById("boot").hidden = localStorage.getItem("tradepost-session") === null;
} catch {
  // Without storage, the system's theme and no skeleton are shown.
}
