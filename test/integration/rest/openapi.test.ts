import { createRequire } from 'node:module';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openapiDocument } from '../../../src/server/openapi.ts';
import type { WaysIn } from '../../../src/server/security.ts';
import {
  type Json,
  type LocalReference,
  send,
  type SendOptions,
  startGateway,
  startReference,
  type TestGateway,
} from '../harness.ts';

interface Operation {
  operationId: string;
  security: Json[];
  parameters?: { name: string; in: string }[];
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
}
interface Document extends Json {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Json; securitySchemes?: Json };
}

/** The JSON Schema validator that the OpenAPI validator depends on. */
const { Ajv2020 } = createRequire(import.meta.resolve('@seriousme/openapi-schema-validator'))('ajv/dist/2020.js') as {
  Ajv2020: new (
    options: Json,
  ) => {
    addSchema(schema: Json): void;
    compile(schema: Json): ((value: unknown) => boolean) & { errors?: unknown };
  };
};

let reference: LocalReference;
let gateway: TestGateway;
let document: Document;

beforeAll(async () => {
  reference = await startReference('http', 'both');
  gateway = await startGateway({ mcpServers: { ref: { ...reference.entry, confirm: ['touch'] } } });
  document = (await send(`${gateway.url}/openapi.json`)).messages[0] as Document;
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
});

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

function schemaOf(path: string, method: string, status: number): Json {
  const responses = document.paths[path]?.[method]?.responses;
  const schema = (responses?.[status] ?? responses?.default)?.content?.['application/json']?.schema;
  if (!schema) throw new Error(`${method} ${path} ${status} is not described.`);
  return schema;
}

test('the document is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  expect(document.openapi).toBe('3.1.0');
});

test('it has every endpoint, each with its own operation id', () => {
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining([
      '/health',
      '/ready',
      '/api/v1/public/health',
      '/api/v1/mcp/tools',
      '/api/v1/mcp/tools/{name}',
      '/api/v1/mcp/tools/{name}/invoke',
      '/api/v1/mcp/invoke',
      '/api/v1/mcp/health',
      '/api/v1/status',
      '/api/v1/events',
      '/api/v1/session',
      '/api/v1/waiting',
      '/metrics',
    ]),
  );
  expect(Object.keys(document.paths).filter((path) => path.includes('internal'))).toEqual([]);
});

test('every API endpoint of a part is described', () => {
  const described = gateway.runtime.routes.filter(({ path }) => path.startsWith('/api/') || path === '/metrics');
  expect(described.length).toBeGreaterThan(0);
  expect(described.filter(({ openapi }) => !openapi).map(({ path }) => path)).toEqual([]);
});

test('every name in a path is a parameter', () => {
  for (const { path, operation } of operations()) {
    const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  }
});

describe('authentication', () => {
  const described = async (asked: WaysIn) =>
    (await openapiDocument({
      version: '1.0.0',
      routes: gateway.runtime.routes,
      security: () => asked,
    })) as unknown as Document;
  const status = ({ paths }: Document) => paths['/api/v1/status']?.get?.security;

  test('is not required while the gateway is open', () => {
    expect(operations().filter(({ operation }) => operation.security.length > 0)).toEqual([]);
    expect(document.components).not.toHaveProperty('securitySchemes');
  });

  test('by key, in either header, with the required scope', async () => {
    const keys = await described({ open: false, keys: true, issuers: [] });
    expect(await new Validator().validate(structuredClone(keys))).toEqual({ valid: true });
    expect(keys.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    });
    expect(status(keys)).toEqual([{ bearer: ['health:check'] }, { apiKey: ['health:check'] }]);
  });

  test('by the tokens of an authorization server', async () => {
    const both = await described({ open: false, keys: true, issuers: ['https://id.example.com/'] });
    expect(await new Validator().validate(structuredClone(both))).toEqual({ valid: true });
    expect(both.components.securitySchemes).toMatchObject({
      oauth: {
        type: 'openIdConnect',
        openIdConnectUrl: 'https://id.example.com/.well-known/openid-configuration',
      },
    });
    const closed = await described({ open: false, keys: false, issuers: [] });
    expect(closed.components.securitySchemes).not.toHaveProperty('apiKey');
  });
});

/** A request for each documented answer: method, template, status, path, options. */
const asked: [string, string, number, string, SendOptions?][] = [
  ['get', '/health', 200, '/health'],
  ['get', '/ready', 200, '/ready'],
  ['get', '/api/v1/public/health', 200, '/api/v1/public/health'],
  ['get', '/api/v1/status', 200, '/api/v1/status'],
  ['get', '/api/v1/events', 200, '/api/v1/events?limit=2'],
  ['get', '/api/v1/events', 400, '/api/v1/events?limit=x'],
  ['get', '/api/v1/mcp/health', 200, '/api/v1/mcp/health'],
  ['get', '/api/v1/mcp/tools', 200, '/api/v1/mcp/tools'],
  ['get', '/api/v1/mcp/tools', 200, '/api/v1/mcp/tools?limit=1'],
  ['get', '/api/v1/mcp/tools', 404, '/api/v1/mcp/tools?toolset=none'],
  ['get', '/api/v1/mcp/tools', 400, '/api/v1/mcp/tools?limit=x'],
  ['get', '/api/v1/mcp/tools/{name}', 200, '/api/v1/mcp/tools/gateway_status'],
  ['get', '/api/v1/mcp/tools/{name}', 200, '/api/v1/mcp/tools/ref__vendor'],
  ['get', '/api/v1/mcp/tools/{name}', 404, '/api/v1/mcp/tools/none'],
  ['post', '/api/v1/mcp/invoke', 200, '/api/v1/mcp/invoke', { body: { name: 'gateway_status' } }],
  ['post', '/api/v1/mcp/invoke', 200, '/api/v1/mcp/invoke', { body: { name: 'ref__test_multiple_content_types' } }],
  [
    'post',
    '/api/v1/mcp/invoke',
    200,
    '/api/v1/mcp/invoke',
    { body: { name: 'ref__fail', arguments: { kind: 'isError' } } },
  ],
  ['post', '/api/v1/mcp/invoke', 409, '/api/v1/mcp/invoke', { body: { name: 'ref__touch' } }],
  [
    'post',
    '/api/v1/mcp/invoke',
    502,
    '/api/v1/mcp/invoke',
    { body: { name: 'ref__fail', arguments: { kind: 'rpc' } } },
  ],
  ['post', '/api/v1/mcp/invoke', 400, '/api/v1/mcp/invoke', { body: '{' }],
  ['post', '/api/v1/mcp/invoke', 400, '/api/v1/mcp/invoke', { body: { name: 'gateway_status', arguments: { x: 1 } } }],
  ['post', '/api/v1/mcp/tools/{name}/invoke', 200, '/api/v1/mcp/tools/ref__echo/invoke', { body: { text: 'hi' } }],
  ['post', '/api/v1/mcp/tools/{name}/invoke', 404, '/api/v1/mcp/tools/none/invoke', { body: {} }],
];

describe('answers match the described schemas', () => {
  test.each(asked)('%s %s %i: %s', async (method, template, status, path, options = {}) => {
    const answer = await send(`${gateway.url}${path}`, options);
    expect(answer.status).toBe(status);
    const schema = schemaOf(template, method, status);
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.addSchema({ $id: 'document', components: document.components });
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
    const validate = ajv.compile(JSON.parse(text) as Json);
    expect([validate(answer.messages[0]), validate.errors]).toEqual([true, null]);
  });

  test('and the schemas do reject a wrong answer', () => {
    const schema = schemaOf('/health', 'get', 200);
    expect(new Ajv2020({ strict: false }).compile(schema)({ status: 'ill' })).toBe(false);
  });
});
