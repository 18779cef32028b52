import type { Definition } from './shape.ts';

/** A tool that a step can call. */
export interface KnownTool {
  /** Its exposed name, even if it was asked for by an alias. */
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly declaresConfirm?: boolean;
  /** It changes nothing. */
  readonly reads?: boolean;
  readonly idempotent?: boolean;
  /** It deploys or decides, which only people do. */
  readonly isForPeople?: boolean;
}

/** What a definition may refer to, now. */
export interface World {
  /** A tool by its exposed name or alias; undefined if there is none. */
  tool(name: string): KnownTool | undefined;
  toolNames(): readonly string[];
  /** Why a tool is missing, if its source knows: for example because its module is read-only. */
  absence?(tool: string): string | undefined;
  /** Sources that have tools. */
  sources(): ReadonlySet<string>;
  blueprint(name: string): Definition | undefined;
  blueprintNames(): readonly string[];
  /** Whether there is a blueprint of this name that cannot be read. */
  isBroken?(name: string): boolean;
}
