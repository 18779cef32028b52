import type { ToolSource } from './source.ts';

/** A command line: `sluice <name> …`. Its help comes from the same object. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly example: string;
  /** The least and the most words besides options; none unless told. */
  readonly positionals?: readonly [least: number, most: number];
  readonly options?: Readonly<Record<string, { type: 'string' | 'boolean'; short?: string; describe: string }>>;
  /** Returns the exit code. */
  run(args: { values: Record<string, string | boolean | undefined>; positionals: string[] }): Promise<number>;
}

/** A plain HTTP endpoint. */
export interface Route {
  readonly path: string;
  /** Data is answered as JSON. */
  get(): unknown;
}

/** What a part of the system contributes. main.ts puts the parts together; nobody reaches across. */
export interface Part {
  readonly name: string;
  readonly sources: readonly ToolSource[];
  readonly routes: readonly Route[];
}
