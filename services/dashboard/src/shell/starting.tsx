// Shown until the dashboard knows whether anybody is signed in. Without a connection it tries again by itself.
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { Mark } from "../ui/icons.tsx";
import { Loading } from "../ui/loading.tsx";

const AGAIN_MS = 2_000;

export function Starting({ error }: { readonly error?: unknown }) {
  const router = useRouter();
  useEffect(() => {
    if (error === undefined) return;
    const timer = setTimeout(() => void router.invalidate(), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [error, router]);
  return (
    <main className="alone">
      <Mark />
      {error === undefined ? <Loading /> : <p role="status">Tradepost does not respond. Trying again…</p>}
    </main>
  );
}
