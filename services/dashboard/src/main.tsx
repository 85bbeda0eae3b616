// Shows the screen of the address.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./base.css";
import "./ui/print.css";
import { App } from "./app.tsx";
import { queryClient } from "./data/query-client.ts";
import { request } from "./session/request.ts";
import { resume, session } from "./session/session.ts";
import { takeStartedMe } from "./session/start.ts";

const root = document.getElementById("app");
if (root === null) throw new Error("index.html has no #app");

void readMe().catch(() => undefined);

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

/** Every screen needs the user: `useRead("getMe")` finds this. */
async function readMe(): Promise<void> {
  await resume();
  if (session.get().status !== "signed in") return;
  await queryClient.prefetchQuery({
    queryKey: ["getMe", {}],
    queryFn: async ({ signal }) => (await takeStartedMe()) ?? (await request("getMe", {}, { signal })),
  });
}
