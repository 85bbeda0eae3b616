// Values over time as bars. A pointer or the arrow keys choose a bar, whose values are read out; a table has them all for screen readers.
// The policy of the page forbids inline styles, so the sizes of the bars are attributes of SVG.
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { number, roundNumber } from "../format/shop.ts";
import "./bar-chart.css";

interface Bar {
  readonly id: string;
  readonly label: string;
  /** One value for each series, from the bottom up. */
  readonly values: readonly number[];
  /** The value of the period to compare with; a pale bar to the left. */
  readonly before?: number;
}

interface BarChartProps {
  readonly label: string;
  readonly unit: string;
  readonly series: readonly Series[];
  readonly bars: readonly Bar[];
  /** For the chart that a screen is about. */
  readonly isTall?: boolean;
  readonly format?: (value: number) => string;
}

interface Series {
  readonly name: string;
  readonly tone: "accent" | "good" | "danger";
}

const HEIGHT = 100;
const BAR_WIDTH = 8;
const BEFORE_WIDTH = 3;
const GAP = 2;
// The least height of a bar whose value is not zero, so that it is visible.
const HEIGHT_MIN = 2;

export function BarChart(props: BarChartProps) {
  const { label, series, bars, isTall = false } = props;
  const [chosen, setChosen] = useState<number | null>(null);
  const bar = bars[chosen ?? -1];
  const last = bars.length - 1;
  const choose = (index: number) => setChosen(Math.min(Math.max(index, 0), last));
  const onKeyDown = (event: KeyboardEvent) => {
    const [left, right] = [(chosen ?? last + 1) - 1, (chosen ?? -1) + 1];
    const at = { ArrowLeft: left, ArrowRight: right, Home: 0, End: last }[event.key];
    if (at === undefined) return;
    event.preventDefault();
    choose(at);
  };
  const readout = bar && readoutOf(bar, props);
  return (
    <figure className={isTall ? "bar-chart bar-chart-tall" : "bar-chart"}>
      <Values {...props} />
      <div
        className="bar-chart-picture"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(last, 0)}
        aria-valuenow={chosen ?? 0}
        aria-valuetext={readout ?? "No part is chosen"}
        onKeyDown={onKeyDown}
        onBlur={() => setChosen(null)}
      >
        <figcaption>
          <span>{readout ?? label}</span>
          {hasBefore(bars) && <span className="bar-chart-legend">before</span>}
        </figcaption>
        <Picture {...{ series, bars, isTall, chosen, choose }} onLeave={() => setChosen(null)} />
      </div>
    </figure>
  );
}

function hasBefore(bars: readonly Bar[]): boolean {
  return bars.some(({ before }) => before !== undefined);
}

function readoutOf({ label, values, before }: Bar, { series, format = number }: BarChartProps): string {
  const now = series.map(({ name }, index) => `${name} ${format(values[index] ?? 0)}`);
  const all = before === undefined ? now : [...now, `before ${format(before)}`];
  return `${label}: ${all.join(", ")}`;
}

interface PictureProps extends Pick<BarChartProps, "series" | "bars"> {
  readonly isTall: boolean;
  readonly chosen: number | null;
  readonly choose: (index: number) => void;
  readonly onLeave: () => void;
}

function Picture({ series, bars, isTall, chosen, choose, onLeave }: PictureProps) {
  const top = roundTop(Math.max(...bars.flatMap((one) => [sum(one.values), one.before ?? 0]), 0));
  const onPointer = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    choose(Math.floor(((clientX - left) / width) * bars.length));
  };
  return (
    <div className="bar-chart-frame">
      <p className="bar-chart-scale number">
        <span>{roundNumber(top)}</span>
        {isTall && <span>{roundNumber(top / 2)}</span>}
        <span>0</span>
      </p>
      <svg
        viewBox={`0 0 ${Math.max(bars.length, 1) * (BAR_WIDTH + GAP)} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={onLeave}
      >
        {bars.map((bar, index) => (
          <BarPicture
            key={bar.id}
            {...{ bar, top, series }}
            x={index * (BAR_WIDTH + GAP)}
            isChosen={index === chosen}
          />
        ))}
      </svg>
      <p className="bar-chart-axis">
        <span>{bars.at(0)?.label}</span>
        <span>{bars.length > 1 && bars.at(-1)?.label}</span>
      </p>
    </div>
  );
}

/** In a `div`: a table does not become smaller than its rows, and would make the page higher. */
function Values({ label, unit, series, bars, format = number }: BarChartProps) {
  return (
    <div className="hidden">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{unit}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {hasBefore(bars) && <th scope="col">before</th>}
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.id}>
              <th scope="row">{bar.label}</th>
              {series.map(({ name }, index) => (
                <td key={name}>{format(bar.values[index] ?? 0)}</td>
              ))}
              {bar.before !== undefined && <td>{format(bar.before)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface BarPictureProps extends Pick<BarChartProps, "series"> {
  readonly bar: Bar;
  readonly x: number;
  readonly isChosen: boolean;
  /** The value of a bar of full height. */
  readonly top: number;
}

function BarPicture({ bar: { values, before }, x, isChosen, top, series }: BarPictureProps) {
  const heightOf = (value: number) => (value > 0 ? Math.max((value / top) * HEIGHT, HEIGHT_MIN) : 0);
  const heights = values.map(heightOf);
  const pale = heightOf(before ?? 0);
  const left = x + GAP / 2;
  const paleWidth = before === undefined ? 0 : BEFORE_WIDTH;
  return (
    <g>
      {isChosen && <rect className="bar-chart-chosen" x={x} y={0} width={BAR_WIDTH + GAP} height={HEIGHT} />}
      {before !== undefined && (
        <rect className="bar-chart-before" x={left} y={HEIGHT - pale} width={paleWidth} height={pale} />
      )}
      {series.map(({ name, tone }, index) => (
        <rect
          key={name}
          className={`bar-chart-${tone}`}
          x={left + paleWidth}
          y={HEIGHT - sum(heights.slice(0, index + 1))}
          width={BAR_WIDTH - paleWidth}
          height={heights[index] ?? 0}
        />
      ))}
    </g>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The end of the axis: 2, 5 or 10 times a power of ten. */
function roundTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 2)));
  return [2, 5, 10].map((times) => times * power).find((round) => round >= value) ?? value;
}
