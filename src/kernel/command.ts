export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly describe: string;
  /** It may be given several times; the values arrive with a comma between them. */
  readonly repeats?: boolean;
}

/** A command line: `sluice <name> …`. Its help comes from the same object. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly example: string;
  /** The least and the most words besides options; none unless told. */
  readonly positionals?: readonly [least: number, most: number];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Returns the exit code. */
  run(args: { values: Record<string, string | boolean | undefined>; positionals: string[] }): Promise<number>;
}
