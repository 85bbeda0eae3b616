// Values over time as bars, with the same values in a table for screen readers. The policy of the page forbids inline styles, so
// the sizes of the bars are attributes of SVG.
import { number } from "../format/shop.ts";
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
  /** What the bars show: `Orders in the last 30 days`. */
  readonly label: string;
  readonly unit: string;
  readonly series: readonly Series[];
  readonly bars: readonly Bar[];
  /** What the pale bars are: `30 days before`. Without it there are none. */
  readonly before?: string;
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

export function BarChart({ label, unit, series, bars, before, format = plain }: BarChartProps) {
  const top = Math.max(...bars.flatMap((bar) => [sum(bar.values), bar.before ?? 0]), 0);
  return (
    <figure className="bar-chart">
      {/* A table itself does not become smaller than its rows, and would make the page higher. */}
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
              {before !== undefined && <th scope="col">{before}</th>}
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.id}>
                <th scope="row">{bar.label}</th>
                {series.map(({ name }, index) => (
                  <td key={name}>{format(bar.values[index] ?? 0)}</td>
                ))}
                {before !== undefined && <td>{format(bar.before ?? 0)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="bar-chart-picture" aria-hidden="true">
        <figcaption>
          <span>{label}</span>
          {before !== undefined && <span className="bar-chart-legend">{before}</span>}
          <span className="number">{top > 0 && `up to ${format(top)}`}</span>
        </figcaption>
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden from screen readers, which read the table */}
        <svg viewBox={`0 0 ${bars.length * (BAR_WIDTH + GAP)} ${HEIGHT}`} preserveAspectRatio="none">
          {bars.map((bar, index) => (
            <BarPicture
              key={bar.id}
              bar={bar}
              x={index * (BAR_WIDTH + GAP)}
              {...{ top, series, before, format }}
            />
          ))}
        </svg>
        <p className="bar-chart-axis">
          <span>{bars.at(0)?.label}</span>
          <span>{bars.length > 1 && bars.at(-1)?.label}</span>
        </p>
      </div>
    </figure>
  );
}

interface BarPictureProps extends Pick<BarChartProps, "series"> {
  readonly bar: Bar;
  readonly x: number;
  /** The value of a bar of full height. */
  readonly top: number;
  readonly before: string | undefined;
  readonly format: (value: number) => string;
}

function BarPicture({ bar, x, top, series, before, format }: BarPictureProps) {
  const { label, values } = bar;
  const heightOf = (value: number) => (value > 0 ? Math.max((value / top) * HEIGHT, HEIGHT_MIN) : 0);
  const heights = values.map(heightOf);
  const pale = heightOf(bar.before ?? 0);
  const left = x + GAP / 2;
  const paleWidth = before === undefined ? 0 : BEFORE_WIDTH;
  const names = [
    ...series.map(({ name }, index) => `${format(values[index] ?? 0)} ${name.toLowerCase()}`),
    ...(before === undefined ? [] : [`${format(bar.before ?? 0)} ${before}`]),
  ];
  return (
    <g>
      <title>{`${label}: ${names.join(", ")}`}</title>
      <rect className="bar-chart-column" x={x} y={0} width={BAR_WIDTH + GAP} height={HEIGHT} />
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

function plain(value: number): string {
  return number(value);
}
