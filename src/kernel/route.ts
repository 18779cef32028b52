import type { Principal } from './principal.ts';

export interface RouteRequest {
  readonly request: Request;
  /** Values of the `:names` in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly principal: Principal;
  /** Whether a person asks, in a browser that is signed in to the console. */
  readonly isBrowser: boolean;
  /** Why the session of this browser does not count any more. */
  readonly ended?: string;
  /**
   * Whether it is that very person, who gave the owner's password in that browser or signed in elsewhere with it. A key or
   * token that was pasted may be a program's.
   */
  readonly isInPerson?: boolean;
  /** The network address of the caller. */
  readonly address: string;
}

type Operation = Readonly<Record<string, unknown>>;

/** An HTTP endpoint besides MCP. A stream is a Response with a ReadableStream. */
export interface Route {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** For example `/api/v1/mcp/tools/:name`. */
  readonly path: string;
  /**
   * The scope a caller needs; `public` means not even a key, and nobody is identified. `anyone` is public too, but knows
   * who asks if the credential is valid.
   */
  readonly scope: string;
  /**
   * Whether it shows the calls of all callers. Principals limited to some tools are refused, unless they are admins.
   */
  readonly ofEverybody?: boolean;
  /** OpenAPI 3.1 description of the operation; a function, if its schemas are loaded for that only. */
  readonly openapi?: Operation | (() => Promise<Operation>);
  handle(asked: RouteRequest): Response | Promise<Response>;
}
