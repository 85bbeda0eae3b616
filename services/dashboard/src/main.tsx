import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { readQuery } from "./data/operations.ts";
import { queryClient } from "./data/query-client.ts";
import { router } from "./router.tsx";
import { request } from "./session/request.ts";
import { resume, session } from "./session/session.ts";
import { takeStartedMe } from "./session/start.ts";
import { Toasts } from "./ui/note.tsx";
import "./base.css";
import "./ui/print.css";

const root = document.getElementById("app");
if (root === null) throw new Error("index.html has no #app");

void readMe().catch(() => undefined);

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
);

/** Every screen needs the user and the shop: `useRead` finds them. */
async function readMe(): Promise<void> {
  await resume();
  if (session.get().status !== "signed in") return;
  await Promise.all([
    queryClient.prefetchQuery({
      queryKey: ["getMe", {}],
      queryFn: async ({ signal }) => (await takeStartedMe()) ?? (await request("getMe", {}, { signal })),
    }),
    queryClient.prefetchQuery(readQuery("getShop", {})),
  ]);
}
