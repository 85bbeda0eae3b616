// Grey bars in place of data that is being read. They appear late, so that quick reads do not flicker.
import "./skeleton.css";

/** Rows of a list. */
export function ListSkeleton() {
  return <Skeleton bars={8} look="rows" />;
}

/** The parts of a page. */
export function PageSkeleton() {
  return <Skeleton bars={3} look="parts" />;
}

function Skeleton({ bars, look }: { readonly bars: number; readonly look: "rows" | "parts" }) {
  return (
    <div className={`skeleton skeleton-${look}`} role="status">
      <span className="hidden">Loading…</span>
      {Array.from({ length: bars }, (_, bar) => (
        <span key={bar} className="skeleton-bar" />
      ))}
    </div>
  );
}
