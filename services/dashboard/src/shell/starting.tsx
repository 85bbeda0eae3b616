// Shown until the dashboard knows who is signed in. Until then the page shows its skeleton (index.html), so this shows only that
// there is no connection. It tries again by itself.
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { Mark } from "../ui/icons.tsx";

const AGAIN_MS = 2_000;

export function Starting({ error }: { readonly error?: unknown }) {
  const router = useRouter();
  useEffect(() => {
    if (error === undefined) return;
    const timer = setTimeout(() => void router.invalidate(), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [error, router]);
  if (error === undefined) return null;
  return (
    <main className="alone">
      <Mark />
      <p role="status">Tradepost does not respond. Trying again…</p>
    </main>
  );
}
