import { z } from 'zod';
import { type Late, late } from '../kernel/late.ts';
import type { Json } from '../kernel/source.ts';
import type { Route } from '../kernel/route.ts';
import { schemaOf } from './rest/operation.ts';
import { type Security, securityOf, type WaysIn } from './security.ts';

export interface OpenApiOptions {
  readonly version: string;
  readonly routes: readonly Route[];
  security?(): WaysIn;
}

/**
 * GET /openapi.json. Building it takes many milliseconds and anyone may request it, so it is cached until it changes.
 */
export function openapiRoute(options: OpenApiOptions): Route {
  let made: { from: string; text: Late<string> } | undefined;
  return {
    path: '/openapi.json',
    scope: 'public',
    async handle() {
      const from = JSON.stringify([options.security?.(), options.routes.map(({ scope }) => scope)]);
      if (made?.from !== from) made = { from, text: late(async () => JSON.stringify(await openapiDocument(options))) };
      return new Response(await made.text(), { headers: { 'content-type': 'application/json' } });
    },
  };
}

const error = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).nullable(),
  error: z.object({
    code: z.number().describe('JSON-RPC error code'),
    message: z.string().describe('What went wrong and what to do'),
    data: z.unknown().optional().describe('{ code, retryable, request_id }, or the data of the server of the tool'),
  }),
});

const failure = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

/** Describes the endpoints as OpenAPI 3.1, from the routes themselves. */
export async function openapiDocument({ version, routes, security }: OpenApiOptions): Promise<Json> {
  const schemes = security && securityOf(security());
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    if (!route.openapi) continue;
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const method = (route.method ?? 'GET').toLowerCase();
    paths[path] = { ...paths[path], [method]: await operation(route, schemes) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      summary: 'Every tool of the gateway over plain HTTP',
      description: 'MCP itself is at /mcp.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Error: schemaOf(error) },
      ...(schemes && { securitySchemes: schemes }),
    },
  };
}

async function operation(route: Route, schemes: Security | undefined): Promise<Json> {
  const about = typeof route.openapi === 'function' ? await route.openapi() : route.openapi;
  const { parameters, responses, ...described } = about as Json;
  const isPublic = route.scope === 'public';
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const all = [...inPath, ...((parameters as Json[] | undefined) ?? [])];
  return {
    ...described,
    ...(!isPublic && { 'x-scope': route.scope }),
    ...(all.length > 0 && { parameters: all }),
    security: isPublic || !schemes ? [] : Object.keys(schemes).map((name) => ({ [name]: [route.scope] })),
    responses: {
      ...(route.method === 'POST' && { 400: failure('The request is invalid') }),
      ...(!isPublic && { 401: failure('Unknown or missing key'), 403: failure('The key does not allow it') }),
      ...(all.length > 0 && { 404: failure('Not found') }),
      default: failure('Any other error'),
      ...(responses as Json),
    },
  };
}
