import type { CallObserver } from './call.ts';
import type { Principal } from './principal.ts';
import type { ToolSource } from './source.ts';

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

export interface RouteRequest {
  readonly request: Request;
  /** What the path's `:names` stand for, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly principal: Principal;
}

/** An HTTP endpoint besides MCP. A stream is a Response with a ReadableStream. */
export interface Route {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Such as `/api/v1/mcp/tools/:name`. */
  readonly path: string;
  /** What a caller needs; `public` for nothing, not even a key. */
  readonly scope: string;
  /** Whether it shows what everybody does: one that is limited to some tools is refused, unless it is an administrator. */
  readonly ofEverybody?: boolean;
  /** The operation as OpenAPI 3.1 describes it. */
  readonly openapi?: Readonly<Record<string, unknown>>;
  handle(asked: RouteRequest): Response | Promise<Response>;
}

/** What a part of the system contributes. main.ts puts the parts together; nobody reaches across. */
export interface Part {
  readonly name: string;
  readonly sources: readonly ToolSource[];
  readonly routes: readonly Route[];
  readonly observers?: readonly CallObserver[];
}
