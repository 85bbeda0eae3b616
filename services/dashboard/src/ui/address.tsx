// The address that a request came from. One of IPv6 is long, and breaks.

export function Address({ ip }: { readonly ip: string | null }) {
  if (ip === null) return <span className="soft">Unknown</span>;
  return (
    <span className="lines">
      <code>{ip}</code>
    </span>
  );
}
