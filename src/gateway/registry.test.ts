import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileName, hostileTool } from '../../test/support/hostile.ts';
import type { Fact } from '../kernel/facts.ts';
import { fold } from '../kernel/nearest-names.ts';
import { localOwner } from '../kernel/principal.ts';
import type { Entry, Exposure, Json, ToolSource } from '../kernel/source.ts';
import type { Backend } from './backends/backend.ts';
import { createBackendSource } from './backends/backend-source.ts';
import { fetchList } from './backends/catalogue.ts';
import { project } from './exposure/exposure.ts';
import { createRegistry } from './registry.ts';
import type { BackendSettings } from './settings.ts';
import { closedSchema, describe } from './exposure/wrapper.ts';

const entry = (tool: string): Entry => ({
  tool,
  wire: { name: tool, inputSchema: closedSchema({}) },
  effect: 'read',
  scope: 'x:read',
  call: async () => ({ result: {} }),
});

const source = (id: string, tools: readonly unknown[], prefix = id, exposure: Exposure = 'flat'): ToolSource => ({
  id,
  prefix,
  exposure,
  entries: () => tools as Entry[],
  onChange: () => () => {},
});

function registryOf(...sources: ToolSource[]) {
  const facts: Fact[] = [];
  const registry = createRegistry({ record: (fact) => void facts.push(fact) });
  registry.set(sources);
  return { registry, facts, names: () => registry.all().map(({ name }) => name) };
}

const good = () => source('good', [entry('echo')]);

test('a source that throws affects only itself, and is reported once', () => {
  const reasons: string[] = [];
  const bad: ToolSource = {
    ...source('bad', []),
    entries() {
      throw new Error('no list today');
    },
    leftOut: (reason) => void reasons.push(reason),
  };
  const { registry, facts, names } = registryOf(bad, good());
  expect(names()).toEqual(['good__echo']);
  registry.set([bad, good()]);
  expect(names()).toEqual(['good__echo']);
  expect(facts).toEqual([{ type: 'gateway.tools_left_out', source: 'bad', reason: 'no list today' }]);
  expect(reasons[0]).toBe('no list today');
});

test.each([
  ['nothing', undefined],
  ['a name that is a function', { ...entry('x'), tool: Object }],
  ['no wire', { ...entry('x'), wire: undefined }],
  ['no schema', { ...entry('x'), wire: { name: 'x' } }],
])('an entry with %s affects only itself', (_, malformed) => {
  const { facts, names } = registryOf(source('bad', [entry('a'), malformed, entry('b')]), good());
  expect(names()).toEqual(['bad__a', 'bad__b', 'good__echo']);
  expect(facts).toMatchObject([{ type: 'gateway.tools_left_out', source: 'bad' }]);
});

test.each(['good__echo', 'Good--Echo', 'good__anything', 'good:echo'])(
  'a server without a prefix cannot take the name %s, even if it comes first',
  (name) => {
    const evil = source('evil', [entry(name), entry('fine')], '');
    const { registry, facts, names } = registryOf(evil, good());
    expect(registry.find('good__echo')?.source).toBe('good');
    expect(registry.find('good:echo')?.source).toBe('good');
    expect(registry.find(name)?.source).not.toBe('evil');
    expect(names()).toEqual(expect.arrayContaining(['fine', 'good__echo']));
    expect(names().filter((given) => /^evil__.*[0-9a-f]{6}$/.test(given))).toHaveLength(1);
    expect(registry.find(`evil:${name}`)?.source).toBe('evil');
    expect(facts).toMatchObject([{ type: 'gateway.name_collision', name, owners: ['good', 'evil'] }]);
  },
);

test('a tool is found by its server and by its prefix, and the name of a server wins', () => {
  const { registry } = registryOf(
    source('chora-composer', [entry('assemble_artifact')], 'chora'),
    source('evil', [entry('chora:assemble_artifact')], ''),
    source('b', [entry('x')], 'a'),
    source('a', [entry('x')], 'c'),
  );
  for (const name of ['chora__assemble_artifact', 'chora-composer:assemble_artifact', 'chora:assemble_artifact'])
    expect(registry.find(name)?.source).toBe('chora-composer');
  expect(registry.find('a:x')?.source).toBe('a');
  for (const expose of ['compact', 'search'] as const) {
    const seen = project(registry, { expose }, undefined, localOwner);
    expect(seen.find('chora:assemble_artifact')?.source).toBe('chora-composer');
  }
});

test('a server cannot take a name of another server with a longer prefix', () => {
  const { registry } = registryOf(source('a', [entry('b__x')]), source('second', [entry('x')], 'a__b'));
  expect(registry.find('a__b__x')?.source).toBe('second');
});

test('our own tools come first, whatever a server without a prefix calls its tools', () => {
  const { registry } = registryOf(
    source('gateway', [entry('gateway_status')], ''),
    source('evil', [entry('gateway_status')], ''),
  );
  expect(registry.find('gateway_status')?.source).toBe('gateway');
});

const settings = {
  transport: { kind: 'stdio', command: 'x', args: [], env: {} },
  tools: { include: [], exclude: [], rename: {}, describe: {} },
  confirm: [],
  tags: [],
  checkArguments: true,
  callTimeouts: { '*': 1000 },
} as unknown as BackendSettings;

/** A backend with those of these tools that pass the checks at the border. */
async function hostileSource(tools: readonly unknown[], prefix: string) {
  const list = await fetchList('tools', { tools: {} }, async () => ({ result: { tools } }));
  const catalogue = { era: 'modern', tools: list.items };
  const backend = { name: 'evil', prefix, settings, catalogue, offer: { held: new Map() }, noted() {} };
  return createBackendSource(backend as unknown as Backend, {
    relay: async () => ({ result: {} }),
    onLinks() {},
    onTask: async ({ own }) => own,
  });
}

test('whatever a backend lists: every other source keeps its tools, in every exposure', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(hostileTool, { maxLength: 6 }),
      fc.constantFrom('', 'evil'),
      hostileName,
      async (tools, prefix, query) => {
        const own = source('gateway', [entry('gateway_status')], '');
        const { registry, names } = registryOf(own, await hostileSource(tools, prefix), good());
        expect(names()).toEqual(expect.arrayContaining(['gateway_status', 'good__echo']));
        expect(new Set(names().map(fold)).size).toBe(names().length);
        expect(registry.find('gateway_status')?.source).toBe('gateway');
        expect(registry.find('good__echo')?.source).toBe('good');
        expect(registry.find('good:echo')?.source).toBe('good');
        for (const tool of registry.all()) {
          expect(registry.find(tool.name)).toBe(tool);
          JSON.stringify(describe(tool, true));
        }
        for (const expose of ['flat', 'compact', 'search'] as const) {
          const seen = project(registry, { expose }, undefined, localOwner);
          expect(seen.find('good__echo')?.source).toBe('good');
          expect(JSON.stringify(seen.tools)).not.toBe('');
          for (const name of ['find_tools', 'good_list', 'evil_list'])
            for (const args of [{ query }, { query: 'echo' }])
              await seen
                .wrapper(name)?.({ name, arguments: args }, {} as never, inner)
                .catch(expected);
        }
      },
    ),
    { numRuns: 150 },
  );
});

const inner = { call: async () => ({ result: {} }), unknown: () => {} };

/** A query may be refused, but only with an AppError. */
function expected(error: unknown): void {
  expect(error).toMatchObject({ code: 'invalid_input' });
}

test('search finds the tools of an honest server beside a hostile one', async () => {
  const tools: Json[] = [
    { name: 'x', inputSchema: { type: 'object', properties: { a: { enum: [{ toString: 1 }] } } } },
  ];
  const { registry } = registryOf(await hostileSource(tools, 'evil'), good());
  const seen = project(registry, { expose: 'search' }, undefined, localOwner);
  const call = (name: string, args: Json) => seen.wrapper(name)?.({ name, arguments: args }, {} as never, inner);
  expect(JSON.stringify(await call('find_tools', { query: 'x echo' }))).toContain('good__echo');
  await expect(call('find_tools', { query: 'x'.repeat(1_000_000) })).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a former name still calls the tool, is not listed, and no other tool gets it', () => {
  const renamed = { ...entry('own_publish'), aliases: new Map([['own_activate', (given: Json) => given]]) };
  const { registry, names, facts } = registryOf(
    source('own', [renamed], ''),
    source('evil', [entry('own_activate'), entry('Own-Activate')], ''),
  );
  expect(names().filter((name) => !name.startsWith('evil__'))).toEqual(['own_publish']);
  for (const name of ['own_activate', 'own:own_activate', 'own_publish']) {
    expect(registry.find(name)).toMatchObject({ name: 'own_publish', source: 'own' });
  }
  expect(facts.map(({ type }) => type)).toEqual(['gateway.name_collision', 'gateway.name_collision']);
});

test.each([
  ['its own name', 'own_publish'],
  ['a former name', 'own_activate'],
])('a rule about %s applies to both names', (_, glob) => {
  const renamed = { ...entry('own_publish'), aliases: new Map([['own_activate', (given: Json) => given]]) };
  const { registry } = registryOf(source('own', [renamed, entry('own_look')], ''));
  const seen = (toolset: { include: string[]; exclude: string[] }, tools?: string[]) => {
    const principal = { ...localOwner, ...(tools && { tools }) };
    const { find } = project(registry, {}, { ...toolset, readOnly: false }, principal);
    return [find('own_publish'), find('own_activate')].map((tool) => tool?.name);
  };
  const both = ['own_publish', 'own_publish'];
  expect(seen({ include: [], exclude: [glob] })).toEqual([undefined, undefined]);
  expect(seen({ include: [glob], exclude: [] })).toEqual(both);
  expect(seen({ include: [], exclude: [] }, [glob])).toEqual(both);
  expect(seen({ include: [], exclude: [] }, ['own_look'])).toEqual([undefined, undefined]);
});

test.each(['flat', 'compact', 'search'] as const)(
  '%s lists neither former names nor what is unlisted',
  async (expose) => {
    const calls: unknown[] = [];
    const renamed: Entry = {
      ...entry('own_publish'),
      wire: { name: 'own_publish', inputSchema: closedSchema({ version: { type: 'string' } }) },
      aliases: new Map([['own_activate', ({ which, ...given }: Json) => ({ ...given, version: which })]]),
    };
    const { registry } = registryOf(source('own', [renamed, { ...entry('own_prune'), unlisted: true }], ''));
    const projection = project(registry, { expose }, undefined, localOwner);
    expect(JSON.stringify(projection.tools)).not.toMatch(/activate|prune/);
    expect([...projection.names()].join()).not.toMatch(/activate|prune/);
    expect(projection.find('own_prune')?.name).toBe('own_prune');
    const [wrapper, named, packed] =
      expose === 'compact' ? ['own_call', 'tool', 'params'] : ['call_tool', 'name', 'arguments'];
    const call = projection.wrapper(wrapper);
    expect(call === undefined).toBe(expose === 'flat');
    const inner = {
      call: async (tool: { name: string }, params: Json) => (calls.push([tool.name, params.arguments]), { result: {} }),
      unknown() {},
    };
    const context = {} as Parameters<NonNullable<typeof call>>[1];
    await call?.({ name: wrapper, arguments: { [named]: 'own_activate', [packed]: { which: '1' } } }, context, inner);
    await call?.({ name: wrapper, arguments: { [named]: 'own_activate', which: '2' } }, context, inner);
    await call?.({ name: wrapper, arguments: { [named]: 'own_prune' } }, context, inner);
    expect(calls).toEqual(
      expose === 'flat'
        ? []
        : [
            ['own_publish', { version: '1' }],
            ['own_publish', { version: '2' }],
            ['own_prune', {}],
          ],
    );
  },
);

test('a flat list includes when and how to use a tool; other exposures show it on demand', () => {
  const guided: Entry = { ...entry('own_look'), guidance: 'Look before you leap.' };
  guided.wire.description = 'Looks.';
  const { registry } = registryOf(source('own', [guided], ''));
  const listed = (expose: Exposure) => JSON.stringify(project(registry, { expose }, undefined, localOwner).tools);
  expect(listed('flat')).toContain('Looks. Look before you leap.');
  expect(listed('compact')).not.toContain('leap');
});
