import type { Route, RouteRequest } from '../../kernel/route.ts';
import type { AuthRoutesDeps } from './deps.ts';
import type { handling } from './handling.ts';

type Name = keyof typeof handling;

/** Keys and OAuth clients for programs and the console. Their code is loaded with the first request. */
export function authRoutes(deps: AuthRoutesDeps): Route[] {
  const route = (name: Name, path: string, method: NonNullable<Route['method']>, openapi: () => object): Route => ({
    method,
    path,
    scope: 'admin',
    get openapi() {
      return { tags: ['keys'], ...openapi() } as Readonly<Record<string, unknown>>;
    },
    handle: async (asked: RouteRequest) => (await import('./handling.ts')).handling[name](deps, asked),
  });
  return [
    route('keys', '/api/v1/keys', 'GET', () => ({
      operationId: 'listKeys',
      summary: 'The keys, without their secrets',
      responses: ok('`keys`, and whether this gateway asks for keys'),
    })),
    route('makeKey', '/api/v1/keys', 'POST', () => ({
      operationId: 'createKey',
      summary: 'Makes a key, and shows it once',
      description: 'A key that is limited can only make keys with the same limits.',
      requestBody: { required: true, content: { 'application/json': { schema: newKey } } },
      responses: ok('The new key: `key` is its secret'),
    })),
    route('endKey', '/api/v1/keys/:id', 'DELETE', () => ({
      operationId: 'revokeKey',
      summary: 'Revokes a key at once',
      responses: ok('The id and name of the key'),
    })),
    route('clients', '/api/v1/clients', 'GET', () => ({
      operationId: 'listClients',
      summary: 'Programs with access through the built-in authorization server',
      responses: ok('`clients`'),
    })),
    route('endClient', '/api/v1/clients/:id', 'DELETE', () => ({
      operationId: 'revokeClient',
      summary: 'Revokes everything that was granted to a program',
      description: 'The program can ask again, and the owner decides again.',
      responses: ok('The id and name of the client'),
    })),
  ];
}

const ok = (description: string) => ({
  200: { description, content: { 'application/json': { schema: { type: 'object' } } } },
});

const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

const newKey = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string' },
    scopes: texts('Default: tools:read and tools:execute'),
    tools: texts('Only tools whose names fit one of these patterns'),
    expires: { type: 'string', description: '90d, 12h, or an ISO time. Default: never' },
    readOnly: { type: 'boolean' },
    confirm: { type: 'string', enum: ['never', 'destructive', 'writes'] },
    rate: { type: 'string', description: '100/min, 5/s, 1000/h' },
  },
};
