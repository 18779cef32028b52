/** A value that is read when somebody requests the metrics. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly values: readonly { readonly value: number; readonly labels?: Readonly<Record<string, string | number>> }[];
}
