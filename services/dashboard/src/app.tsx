// The parts around all screens: the query client, the router and the toasts.
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { queryClient } from "./data/query-client.ts";
import { router } from "./router.tsx";
import { Toasts } from "./ui/toasts.tsx";

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  );
}
