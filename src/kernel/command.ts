export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly describe: string;
  /** May be given several times. The values are joined with commas; `apart`: `textsIn` returns each as it was given. */
  readonly repeats?: boolean | 'apart';
}

export type Options = Readonly<Record<string, CommandOption>>;
export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** One thing a command line does: `sluice export …`, or a verb, `sluice keys create …`. Its help comes from this object. */
export interface Action {
  /** What follows the words of the command: `NAME [--loud]`. */
  readonly usage: string;
  readonly example: string;
  /** The minimum and maximum number of positional arguments; default none. */
  readonly positionals?: readonly [least: number, most: number];
  readonly options?: Options;
  /** Returns the exit code. */
  run(args: { values: Values; positionals: string[] }): Promise<number>;
}

export interface Verb extends Action {
  readonly summary: string;
}

/** A command with verbs: `sluice keys create | list | revoke`. */
export interface Verbs {
  readonly example: string;
  readonly verbs: Readonly<Record<string, Verb>>;
  /** The verb that runs when none is given. */
  readonly byDefault?: string;
}

export type Command = Action | Verbs;

/** A command as a part lists it. `--help` needs only the summary; the rest is loaded when the command runs. */
export interface CommandEntry<Place> {
  readonly summary: string;
  load(place: Place): Promise<Command>;
}
