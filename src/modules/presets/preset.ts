import type { z } from 'zod';

/**
 * An MCP server of somebody else that is offered like a module: where it comes from, pinned, with flags that make it safe.
 * It is data, and runs as a server of the gateway under the name of its section.
 */
export interface Preset {
  /** What its tools are for, in about 70 characters. */
  readonly description: string;
  readonly source: Source;
  /** Keys of its section, besides those of every preset. */
  readonly options?: Readonly<Record<string, Option>>;
  /** Added if the section is read-only. */
  readonly readOnly?: Flags;
  /** Globs: the tools that a read-only section offers. Without it, `readOnly` sees to that. */
  readonly reads?: readonly string[];
  /** Globs: tools that are never offered. */
  readonly never?: readonly string[];
  /** Globs: tools that are confirmed. */
  readonly confirm?: readonly string[];
  readonly isolation?: 'shared' | 'session' | 'principal';
  /** Arguments that are addresses, if an option with the name `origins` limits them. */
  readonly opens?: readonly { readonly tool: string; readonly argument: string }[];
  /** Arguments that no tool may be given: they name files of this machine. */
  readonly withheld?: readonly string[];
  /** The flag of a configuration file, which is written before each start, and its content. */
  readonly file?: { readonly flag: string; content(section: Readonly<Record<string, unknown>>): object | undefined };
}

export interface Flags {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A package of npm or PyPI with its version, a program, or a server elsewhere. */
export type Source = Flags &
  (
    | { readonly npm: string; readonly version: string }
    | { readonly pypi: string; readonly version: string }
    | { readonly command: string }
    | { readonly url: string }
  );

/** A key of the section, and how the server gets its value. */
export interface Option {
  readonly type: z.ZodType;
  readonly flag?: string;
  readonly env?: string;
  readonly header?: string;
  /** Comes before the value: `Bearer `. */
  readonly before?: string;
  /** Comes between the values of a list. */
  readonly between?: string;
  /** Shown if it is missing. */
  readonly example?: string;
  /** The variable that fills it. */
  readonly variable?: string;
  readonly isSecret?: true;
}
