import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { calculator, openToolBench, textOf, tool, type ToolBench } from '../../support/tool-bench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

/** A tool with a hand-written schema. It returns its arguments. */
const written = (name: string, inputSchema: string) =>
  tool(name, 'toolCode', 1.3, {
    description: `Does ${name}`,
    jsCode: 'return JSON.stringify(query)',
    specifyInputSchema: true,
    schemaType: 'manual',
    inputSchema,
  });
const object = (properties: object) => JSON.stringify({ type: 'object', properties });
const asking = (name: string, call: string) =>
  tool(name, 'n8n-nodes-base.httpRequestTool', 4.2, {
    toolDescription: 'Fetches',
    url: `=http://127.0.0.1:9/{{ ${call} }}`,
    options: {},
  });

interface Status {
  workflows: { tools: { tool: string; state: string; reason?: string }[] }[];
}

/** Schemas that are invalid, or that n8n or MCP cannot express. */
describe.skipIf(missing)('schemas that n8n cannot express', () => {
  let bench: ToolBench;

  beforeAll(async () => {
    bench = await openToolBench();
    await bench.agent('odd', [
      calculator(),
      written('either', object({ v: { oneOf: [{ type: 'string' }, { type: 'number' }] } })),
      written('elsewhere', object({ a: { $ref: 'http://127.0.0.1:9/schema.json' } })),
      written('endless', object({ child: { $ref: '#' } })),
      written('names', object({ constructor: { type: 'string' } })),
      written('list', JSON.stringify({ type: 'array', items: { type: 'string' } })),
      written('scribble', '{ type: object, '),
      asking('twice', "$fromAI('a', 'one') + $fromAI('a', 'another', 'number')"),
    ]);
    await bench.own('bridge_apply', {}, { timeout: 120_000 });
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose](), 60_000);

  test('tools that can be called are listed and called, whatever n8n makes of their schema', async () => {
    const names = ['Calculator', 'either', 'elsewhere', 'endless', 'names'];
    await bench.until(
      bench.slug('odd'),
      names.map((name) => `${bench.slug('odd')}__${name}`),
    );
    expect(textOf(await bench.call('odd', 'Calculator', { input: '25*42' }))).toContain('1050');
    expect(textOf(await bench.call('odd', 'either', { v: 3 }))).toBe('{"v":3}');
    expect(textOf(await bench.call('odd', 'elsewhere', { a: 'x' }))).toBe('{"a":"x"}');
    expect(textOf(await bench.call('odd', 'endless', { child: { child: {} } }))).toBe('{"child":{"child":{}}}');
    // n8n accepts no argument of that name. The call is refused before n8n is asked.
    expect(textOf(await bench.call('odd', 'names', { constructor: 1 }))).toContain('was not called: constructor');
  }, 30_000);

  test('the others are reported with the reason, and not as listed', async () => {
    const { workflows } = await bench.own<Status>('bridge_status', { workflow: bench.name('odd') });
    const told = new Map(workflows[0]?.tools.map(({ tool: name, ...rest }) => [name.split('__')[1], rest]));
    expect(told.get('list')).toMatchObject({
      state: 'broken',
      reason: expect.stringContaining('does not describe an object'),
    });
    expect(told.get('scribble')).toMatchObject({
      state: 'broken',
      reason: expect.stringContaining('parsing of JSON Schema'),
    });
    expect(told.get('twice')).toMatchObject({ state: 'broken', reason: expect.stringContaining("Duplicate key 'a'") });
    const listed = [...told].filter(([, { state }]) => state === 'listed').length;
    expect(await bench.listed(bench.slug('odd'))).toHaveLength(listed);
  });
});
