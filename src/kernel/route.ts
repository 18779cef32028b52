import type { Principal } from './principal.ts';

export interface RouteRequest {
  readonly request: Request;
  /** Values of the `:names` in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly principal: Principal;
}

/** An HTTP endpoint besides MCP. A stream is a Response with a ReadableStream. */
export interface Route {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** For example `/api/v1/mcp/tools/:name`. */
  readonly path: string;
  /** The scope a caller needs; `public` means not even a key. */
  readonly scope: string;
  /**
   * Whether it shows the calls of all callers. Principals limited to some tools are refused, unless they are admins.
   */
  readonly ofEverybody?: boolean;
  /** OpenAPI 3.1 description of the operation. */
  readonly openapi?: Readonly<Record<string, unknown>>;
  handle(asked: RouteRequest): Response | Promise<Response>;
}
