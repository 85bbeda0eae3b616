// What a bar chart shows for one period.
export interface Bar {
  readonly id: string;
  /** The time of the bar: `23 Nov`. */
  readonly label: string;
  /** One value for each series, from the bottom up. */
  readonly values: readonly number[];
}
