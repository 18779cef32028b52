import type { z } from 'zod';
import type { ToolSource } from './source.ts';

/** A command line of a part: `sluice <name> …`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly example: string;
  readonly options?: Readonly<Record<string, { type: 'string' | 'boolean'; short?: string; describe: string }>>;
  run(args: { values: Record<string, string | boolean | undefined>; positionals: string[] }): Promise<number>;
}

/** A plain HTTP endpoint of a part. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  handle(request: Request): Promise<Response> | Response;
}

/** What a part of the system contributes; main.ts puts the parts together and nobody reaches across. */
export interface Part {
  readonly name: string;
  readonly settings?: z.ZodType;
  readonly sources?: readonly ToolSource[];
  readonly routes?: readonly Route[];
  readonly commands?: readonly Command[];
  health?(): { ok: boolean; detail?: string };
}
