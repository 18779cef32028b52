import { writeFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { expect, test, vi } from 'vitest';
import { connectV2, type Json, startGateway } from '../harness.ts';
import { odd, scratch } from '../../support/processes.ts';
import { ask, askIn, call, callIn, said, sessionOf } from '../../support/exchange.ts';

const COUNT = 2000;
/** Enough for any machine, but far too little to compile all the schemas. */
const BUDGET_MS = 10_000;

const schema = (index: number) => ({
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, pattern: '^[a-z]+$' },
    options: { type: 'object', properties: { [`flag_${index}`]: { type: 'boolean' } }, additionalProperties: false },
    items: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
  },
  required: ['name'],
});

const definitions = Array.from({ length: COUNT }, (_, index) => ({
  name: `tool_${String(index).padStart(4, '0')}`,
  description: `Does the work number ${index} and says what came of it.`,
  inputSchema: schema(index),
  outputSchema: schema(index + COUNT),
}));

async function startLarge() {
  const room = await scratch();
  await writeFile(room.path('tools'), JSON.stringify(definitions));
  const gateway = await startGateway({ mcpServers: { big: odd('--changes-tools', room.path('tools')) } });
  return {
    ...gateway,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await room[Symbol.asyncDispose]();
    },
  };
}

async function within<T>(work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  expect(performance.now() - started).toBeLessThan(BUDGET_MS);
  return result;
}

test(`${COUNT} tools are listed within a fixed time, exactly as the server describes them`, async () => {
  await using gateway = await within(startLarge);
  const { result } = await within(() => ask(gateway.mcp, 'tools/list'));
  const listed = (result.tools as Json[]).filter(({ name }) => String(name).startsWith('big__tool_'));
  expect(listed).toEqual(definitions.map((tool) => ({ ...tool, name: `big__${tool.name}` })));
  await using client = await connectV2(gateway, { era: 'modern' });
  const { tools } = await within(() => client.listTools());
  expect(tools.length).toBeGreaterThan(COUNT);
  for (const expose of ['compact', 'search']) {
    const small = await within(() => ask(`${gateway.mcp}?expose=${expose}`, 'tools/list'));
    expect((small.result.tools as Json[]).length).toBeLessThan(30);
  }
  const found = await within(() => call(`${gateway.mcp}?expose=search`, 'find_tools', { query: 'tool_1234' }));
  expect(said(found)).toContain('big__tool_1234');
});

test('calls and lists do not read the schemas again', async () => {
  await using gateway = await startLarge();
  const session = await sessionOf(gateway.mcp, {});
  const lists = async () => [
    (await ask(gateway.mcp, 'tools/list')).result,
    (await askIn(gateway.mcp, session, 'tools/list')).result,
  ];
  const first = await lists();

  let looks = 0;
  const tools = gateway.runtime.apis.gateway.backend('big')?.catalogue?.tools ?? [];
  for (const { inputSchema, outputSchema } of tools) {
    for (const known of [inputSchema, outputSchema]) {
      if (known === undefined) continue;
      const { properties } = known as Json;
      const get = () => {
        looks++;
        return properties;
      };
      Object.defineProperty(known, 'properties', { get, enumerable: true, configurable: true });
    }
  }
  const stringify = vi.spyOn(JSON, 'stringify');
  const large = () =>
    stringify.mock.calls.filter(([value]) => Array.isArray(value?.tools) && value.tools.length >= COUNT);
  const args = { name: 'x', unexpected: [{ deep: true }] };
  for (let index = 0; index < COUNT; index += 100) {
    const { name } = definitions[index] as { name: string };
    expect(said(await call(gateway.mcp, `big__${name}`, args))).toBe(name);
    expect(said(await callIn(gateway.mcp, session, `big__${name}`, args))).toBe(name);
  }
  expect(await lists()).toEqual(first);
  expect(looks).toBe(0);
  expect(large()).toEqual([]);
  stringify.mockRestore();

  // Make sure that the counter works: another exposure does read the schemas.
  await ask(`${gateway.mcp}?expose=flat`, 'tools/list');
  expect(looks).toBeGreaterThanOrEqual(2 * COUNT);
});

test('many calls with many tools stay within the fixed time', async () => {
  await using gateway = await startLarge();
  const names = definitions.filter((_, index) => index % 10 === 0).map(({ name }) => name);
  const answers = await within(() => Promise.all(names.map((name) => call(gateway.mcp, `big__${name}`))));
  expect(answers.map(said)).toEqual(names);
});
