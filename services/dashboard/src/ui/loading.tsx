// Shown during a read. It appears late, so that quick reads do not flicker.

export function Loading() {
  return (
    <p className="loading" role="status">
      Loading…
    </p>
  );
}
