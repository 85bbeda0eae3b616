// The entry of the page: continues the browser's session, and shows the screen of the address.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./base.css";
import { App } from "./app.tsx";

const root = document.getElementById("app");
if (root === null) throw new Error("index.html has no #app");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
