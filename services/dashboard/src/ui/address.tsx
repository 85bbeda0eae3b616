// The address that a request came from. An IPv6 address is long, and may wrap.

export function Address({ ip }: { readonly ip: string | null }) {
  if (ip === null) return <span className="soft">Unknown</span>;
  return (
    <span className="lines">
      <code>{ip}</code>
    </span>
  );
}
