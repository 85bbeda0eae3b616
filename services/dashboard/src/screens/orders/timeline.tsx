import type { ComponentProps } from "react";
import { ListView } from "../../ui/list.tsx";
import { Section } from "../../ui/screen.tsx";
import { Amount, Time } from "../../ui/value.tsx";
import { type TimelineEntry, timelineText } from "./timeline-text.ts";

interface TimelineProps {
  readonly list: ComponentProps<typeof ListView<TimelineEntry>>["list"];
  readonly currency: string;
}

export function Timeline({ list, currency }: TimelineProps) {
  return (
    <Section title="Timeline">
      <ListView list={list} empty={<p className="soft">Nothing has happened yet.</p>}>
        {(entries) => <Entries entries={entries} currency={currency} />}
      </ListView>
    </Section>
  );
}

interface EntriesProps {
  readonly entries: readonly TimelineEntry[];
  readonly currency: string;
}

export function Entries({ entries, currency }: EntriesProps) {
  return (
    <ol className="timeline">
      {entries.map((entry) => {
        const { before, amount, after } = timelineText(entry);
        return (
          <li key={entry.version}>
            <bdi>
              {before}
              {amount !== undefined && <Amount amount={amount} currency={currency} />}
              {after}
            </bdi>
            <span className="soft">
              <bdi>{entry.actor?.name ?? "Unknown"}</bdi>
              {entry.actor?.type === "api_key" && " (API key)"} · <Time at={entry.createdAt} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}
