// The few icons of the dashboard. Screen readers skip them, because the text next to an icon has the same meaning.

const SHAPES = {
  home: "M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z",
  shop: "M3 7.5v6h10v-6M2 5l1.25-2.5h9.5L14 5v1.5H2zM6.5 13.5v-4h3v4",
  key: `${circle(5, 11, 2.75)}M7 9 13.5 2.5M10.5 5.5l2 2M12 4l1.5 1.5`,
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  copy: `${box(5.5, 5.5, 8, 8)}M10.5 3.5v-1h-8v8h1`,
  check: "m3 8.5 3.5 3.5L13 4.5",
  fold: "m6 3.5 4.5 4.5L6 12.5",
  warning: "M8 2 14.5 13.5h-13zM8 6.5v3M8 11.4v.1",
  back: "M10 3.5 5.5 8l4.5 4.5",
  go: "M3 8h9.5M9 4.5 12.5 8 9 11.5",
  search: `${circle(7, 7, 4.25)}M10.25 10.25l3.25 3.25`,
  more: <path d="M3.5 8h.1M8 8h.1M12.5 8h.1" strokeWidth="2.2" />,
  theme: (
    <>
      <path d={circle(8, 8, 5.5)} />
      <path d="M8 2.5v11a5.5 5.5 0 0 0 0-11z" fill="currentColor" />
    </>
  ),
  keyboard: `${box(1.75, 4, 12.5, 8)}M4.5 6.5h.1M7 6.5h.1M9.5 6.5h.1M11.5 6.5h.1M5 9.5h6`,
  plus: "M8 3v10M3 8h10",
  book: "M3 2.5h8.5a1.5 1.5 0 0 1 1.5 1.5v9.5H4.5A1.5 1.5 0 0 1 3 12zM3 12a1.5 1.5 0 0 1 1.5-1.5H13",
  receipt: "M3.5 2.5h9v11l-1.8-1.2-1.35 1.2L8 12.3l-1.35 1.2-1.35-1.2-1.8 1.2zM6 5.5h4M6 8.5h4",
  person: `${circle(8, 5.25, 2.75)}M2.75 13.5c.6-2.7 2.6-4 5.25-4s4.65 1.3 5.25 4`,
  people:
    `${circle(6, 5.5, 2.5)}M1.5 13c.5-2.4 2.2-3.5 4.5-3.5s4 1.1 4.5 3.5M10.5 3.2a2.5 2.5 0 0 1 0 4.6` +
    "M12 9.9c1.4.5 2.2 1.5 2.5 3.1",
  page: "M3.5 2.5h6l3 3v8h-9zM9.5 2.5v3h3M6 8.5h4M6 11h4",
  blocks: "M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z",
  picture: `M2.5 3h11v10h-11zM2.5 11l3-3 2.5 2.5L10.5 8l3 3${circle(6, 6, 0.75)}`,
  turn: "M2.5 13V8A2.5 2.5 0 0 1 5 5.5h8M10.5 3 13 5.5 10.5 8",
  hook: `${circle(4, 11, 1.75)}${circle(8, 4.5, 1.75)}${circle(12, 11, 1.75)}M7 6 4.9 9.5M9 6l2.1 3.5M5.75 11h4.5`,
  send: "M14 2 7 9M14 2 9.5 14 7 9 2 6.5z",
  pulse: "M1.5 8.5H4L6 3.5l3.5 9 2-5h3",
  list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1",
  compass: `${circle(8, 8, 6)}M10.5 5.5l-1.6 3.4-3.4 1.6 1.6-3.4z`,
  prompt: "M2.5 4 6.5 8l-4 4M8 12.5h5.5",
  gauge: "M2.5 12.5a6 6 0 1 1 11 0M8 9.5l2.75-3.25M8 9.5h.1",
  chart: "M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6",
  exchange: "M2.5 5.5h11M10.5 2.5l3 3-3 3M13.5 10.5h-11M5.5 7.5l-3 3 3 3",
  bell: "M3 11.5 4.25 9.75V7a3.75 3.75 0 0 1 7.5 0v2.75L13 11.5zM6.75 13.75h2.5",
};

function circle(x: number, y: number, radius: number): string {
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
}

function box(x: number, y: number, width: number, height: number): string {
  return `M${x + 1.5} ${y}h${width - 3}a1.5 1.5 0 0 1 1.5 1.5v${height - 3}a1.5 1.5 0 0 1-1.5 1.5h${3 - width}a1.5 1.5 0 0 1-1.5-1.5v${3 - height}a1.5 1.5 0 0 1 1.5-1.5z`;
}

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { readonly name: IconName }) {
  const shape = SHAPES[name];
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      {typeof shape === "string" ? <path d={shape} /> : shape}
    </svg>
  );
}

export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" />
      <path d="M6 8h12M12 8v9" />
      <circle cx="17.2" cy="15.8" r="1.8" />
    </svg>
  );
}
