import type { Principal } from './principal.ts';

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
