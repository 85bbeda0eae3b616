// A QR code as SVG, made in the page: its text may be a secret, so no other server may see it. Loaded when it is first shown.
import encode from "qr";

// The light margin without which some cameras find no code.
const MARGIN = 4;

export default function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const rows = encode(text, "raw", { ecc: "low", border: MARGIN });
  return (
    <svg
      className="qr-code"
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path
        d={rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("")}
      />
    </svg>
  );
}
