import { expect, test } from 'vitest';
import { z } from 'zod';
import type { GatewayEvents } from './facts.ts';
import { createOwnSource } from '../kernel/own-source.ts';
import { localOwner, type Principal } from '../kernel/principal.ts';
import type { Entry, Exposure, ToolSource } from '../kernel/source.ts';
import { toolsFor } from '../kernel/tool.ts';
import type { Backend } from './backends/backend.ts';
import { project } from './exposure/exposure.ts';
import { instructionsFor } from './instructions.ts';
import { createRegistry } from './registry.ts';
import type { Toolset } from './settings.ts';

const tool = (name: string, effect: 'read' | 'update' = 'read') =>
  toolsFor<object>({ category: 'test' })({
    name,
    title: name,
    description: name,
    effect,
    scope: name === 'gateway_status' ? 'health:check' : effect === 'read' ? 'n8n:read' : 'n8n:write',
    input: z.strictObject({}),
    output: z.looseObject({}),
    run: async () => ({}),
  });

const n8n = createOwnSource<object>({
  id: 'n8n',
  exposure: 'compact',
  description: 'n8n: workflows',
  guide: () => [
    'Look: `n8n_get`, `{ dry_run: true }`. Then `n8n_edit`.',
    'Change: `n8n_get {id}`, then `n8n_edit {id}`. It is saved.',
  ],
  tools: [tool('n8n_get'), tool('n8n_edit', 'update')],
  deps: {},
});
const gateway = createOwnSource<object>({
  id: 'gateway',
  exposure: 'flat',
  description: 'the gateway itself',
  tools: [tool('gateway_status')],
  deps: {},
});

const server = (id: string, prefix = id): ToolSource => {
  const [entry] = createOwnSource<object>({ id, exposure: 'flat', tools: [tool('echo')], deps: {} }).entries();
  return { id, prefix, exposure: 'flat', entries: () => [entry as Entry], onChange: () => () => {} };
};
const backend = (name: string, instructions?: string) =>
  ({ name, catalogue: { ...(instructions !== undefined && { instructions }) } }) as unknown as Backend;

interface View {
  readonly sources: readonly ToolSource[];
  readonly backends?: readonly Backend[];
  readonly expose?: Exposure;
  readonly toolset?: Partial<Toolset>;
  readonly principal?: Principal;
}

function told({ sources, backends = [], expose, toolset, principal = localOwner }: View): string | undefined {
  const registry = createRegistry({ record() {} } as Partial<GatewayEvents> as GatewayEvents);
  registry.set(sources);
  const set = toolset && { include: [], exclude: [], readOnly: false, ...toolset };
  return instructionsFor(project(registry, expose ? { expose } : {}, set, principal), backends).instructions;
}

test('n8n comes first, with how to find its tools and what works best', () => {
  const text = told({ sources: [gateway, server('files'), n8n], backends: [backend('files')] });
  expect(text).toBe(`Sluice is a gateway. Behind it:
- n8n: workflows
- MCP servers: files

Tools of n8n: \`n8n_list {query: "what you want to do"}\` finds one, \`n8n_list {tool}\` shows its parameters, \`n8n_call {tool, params}\` calls it (\`n8n_read\` for those that only read). A tool of a server is named <server>__<tool>. \`gateway_status\` shows the state of everything.

- Look: \`n8n_get\`, \`{ dry_run: true }\`. Then \`n8n_edit\`.
- Change: \`n8n_get {id}\`, then \`n8n_edit {id}\`. It is saved.`);
});

test('how to find a tool depends on the exposure', () => {
  const searched = told({ sources: [gateway, n8n], expose: 'search' });
  expect(searched).toContain('`find_tools {query');
  expect(searched).not.toContain('n8n_list');
  const flat = told({ sources: [gateway, n8n], expose: 'flat' });
  expect(flat).not.toMatch(/n8n_list|n8n_call|find_tools/);
  expect(flat).toContain('`n8n_edit {id}`');
  expect(told({ sources: [n8n, server('files')], expose: 'compact' })).toContain('The same goes for files.');
  expect(told({ sources: [n8n, gateway], expose: 'compact' })).toContain(
    'The same goes for gateway (the gateway itself).',
  );
});

test('hidden tools are not mentioned', () => {
  const reading = told({ sources: [gateway, n8n], toolset: { readOnly: true } });
  expect(reading).toContain('Look: ');
  expect(reading).not.toMatch(/n8n_edit|n8n_read|It is saved/);
  const scoped = { ...localOwner, scopes: new Set(['n8n:read']) };
  const some = told({ sources: [gateway, n8n], principal: scoped });
  expect(some).not.toMatch(/gateway_status|n8n_edit/);
  expect(some).toContain('`n8n_call {tool, params}` calls it.');
  expect(told({ sources: [gateway, n8n], toolset: { include: ['nothing'] } })).toBe('Sluice is a gateway.');
});

test("the servers' own instructions follow under their names, and are cut", () => {
  const backends = [backend('one', ' Use echo. '), backend('silent'), backend('two', 'y'.repeat(10_000))];
  const text = told({ sources: [server('one'), server('silent'), server('two')], backends }) ?? '';
  expect(text).toMatch(/^Sluice is a gateway/);
  expect(text).toContain('## one\nUse echo.\n');
  expect(text).not.toContain('## silent');
  expect(text.length).toBeLessThanOrEqual(4000);
  const many = Array.from({ length: 30 }, (_, at) => `s${at}`);
  const named = told({ sources: many.map((name) => server(name)), backends: many.map((name) => backend(name)) });
  expect(named).toContain('s19 and 10 more');
});

test('a transparent endpoint has the instructions of its server, or none', () => {
  const sources = [gateway, server('one', '')];
  const toolset = { include: ['echo'] };
  expect(told({ sources, toolset, backends: [backend('one', 'Use echo.')] })).toBe('Use echo.');
  expect(told({ sources, toolset, backends: [backend('one')] })).toBeUndefined();
});
