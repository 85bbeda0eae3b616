// The few icons of the dashboard. They repeat what a text next to them says, so screen readers skip them.
import type { ReactNode } from "react";

function icon(children: ReactNode) {
  return () => (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      {children}
    </svg>
  );
}

export const HomeIcon = icon(<path d="M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z" />);
export const KeyIcon = icon(
  <>
    <circle cx="5" cy="11" r="2.75" />
    <path d="m7 9 6.5-6.5M10.5 5.5l2 2M12 4l1.5 1.5" />
  </>,
);
export const MenuIcon = icon(<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />);
export const CopyIcon = icon(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 3.5v-1h-8v8h1" />
  </>,
);
export const CheckIcon = icon(<path d="m3 8.5 3.5 3.5L13 4.5" />);
export const WarningIcon = icon(
  <>
    <path d="M8 2 14.5 13.5h-13z" />
    <path d="M8 6.5v3M8 11.4v.1" />
  </>,
);
export const PlusIcon = icon(<path d="M8 3v10M3 8h10" />);
export const BookIcon = icon(
  <path d="M3 2.5h8.5a1.5 1.5 0 0 1 1.5 1.5v9.5H4.5A1.5 1.5 0 0 1 3 12zM3 12a1.5 1.5 0 0 1 1.5-1.5H13" />,
);

export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" />
      <path d="M6 8h12M12 8v9" />
      <circle cx="17.2" cy="15.8" r="1.8" />
    </svg>
  );
}
