import { beforeEach, expect, test } from 'vitest';
import { createCallPath } from '../kernel/call.ts';
import type { Fact } from '../kernel/facts.ts';
import { localOwner, type Principal } from '../kernel/principal.ts';
import { AppError } from '../kernel/errors.ts';
import type { CallContext, CallParams, Entry, Json, Outcome, ToolSource } from '../kernel/source.ts';
import { traceFrom } from '../kernel/trace.ts';
import { newLocalShared } from '../../test/support/local-shared.ts';
import { callByName } from './call-by-name.ts';
import type { Chosen } from './exposure/exposure.ts';
import { createRegistry } from './registry.ts';
import type { RouteRule } from './settings.ts';
import { createVisibility } from './visibility.ts';

let facts: Fact[];
let ran: { readonly source: string; readonly params: CallParams }[];
beforeEach(() => {
  facts = [];
  ran = [];
});

const entry = (source: string, tool: string, more: Partial<Entry> = {}): Entry => ({
  tool,
  wire: { name: tool, inputSchema: { type: 'object' } },
  effect: 'read',
  scope: `${source}:read`,
  async call(params) {
    ran.push({ source, params });
    return { result: { content: [] } };
  },
  ...more,
});

const source = (id: string, more: Partial<Entry> = {}): ToolSource => ({
  id,
  prefix: id,
  exposure: 'flat',
  entries: () => [entry(id, 'look', more), entry(id, 'wipe', { effect: 'delete', scope: `${id}:write` })],
  onChange: () => () => {},
});

function gatewayOf(
  sources: readonly ToolSource[],
  { routes = [], chosen = {} }: { routes?: readonly RouteRule[]; chosen?: Chosen } = {},
) {
  const events = { record: (fact: Fact) => void facts.push(fact) };
  const registry = createRegistry(events);
  registry.set(sources);
  const visibility = createVisibility({ registry, backends: () => [], toolsets: () => ({}), chosen: () => chosen });
  const callPath = createCallPath(events, { shared: newLocalShared() });
  return callByName({ registry, callPath, visibility, routes: () => routes, serverInfo: { name: 'sluice' } });
}

const as = (principal: Principal = localOwner): CallContext => ({
  principal,
  signal: new AbortController().signal,
  trace: traceFrom(),
  client: { era: 'modern', version: '2026-07-28', capabilities: {} },
  notify() {},
  ask: () => Promise.reject(new Error('nobody is asked here')),
});

const may = (...scopes: string[]): Principal => ({ id: 'ana', scopes: new Set(scopes) });
const codeOf = (outcome: Outcome) => outcome.failed?.code;
const events = () => facts.map((fact) => [fact.type, (fact as unknown as Json).tool, (fact as unknown as Json).reason]);

test('a call by name goes the way of every call: with its events, as its caller', async () => {
  const call = gatewayOf([source('eu')]);
  expect(await call('eu__look', { at: 1 }, as(may('eu:read')))).toMatchObject({ result: { content: [] } });
  expect(ran).toMatchObject([{ source: 'eu', params: { name: 'eu__look', arguments: { at: 1 } } }]);
  expect(facts).toMatchObject([
    { type: 'tool.call_received', tool: 'eu__look', principal: 'ana' },
    { type: 'tool.call_completed', tool: 'eu__look', principal: 'ana' },
  ]);
});

test('a call for a client of 2026 has what every request of 2026 has', async () => {
  const call = gatewayOf([source('eu')]);
  await call('eu__look', {}, as());
  await call('eu__look', {}, { ...as(), client: { era: 'legacy', version: '2025-11-25', capabilities: {} } });
  const [modern, legacy] = ran.map(({ params }) => params._meta);
  expect(modern).toEqual({
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'sluice' },
    'io.modelcontextprotocol/clientCapabilities': {},
  });
  expect(legacy).toBeUndefined();
});

test('a tool that the caller may not see is unknown to him, like one that does not exist', async () => {
  const call = gatewayOf([source('eu'), source('us')]);
  const [hidden, missing] = [
    await call('us__look', {}, as(may('eu:read'))),
    await call('as__look', {}, as(may('eu:read'))),
  ];
  expect([codeOf(hidden), codeOf(missing)]).toEqual(['not_found', 'not_found']);
  expect(hidden.failed?.message.replace('us__look', '?')).toBe(missing.failed?.message.replace('as__look', '?'));
  expect(ran).toEqual([]);
  expect(events()).toEqual([
    ['tool.call_failed', '(unknown)', 'forbidden'],
    ['tool.call_failed', '(unknown)', 'not_found'],
  ]);
});

test('a tool that the caller sees and may not call is refused by its scope', async () => {
  const call = gatewayOf([source('eu')]);
  expect(codeOf(await call('eu__look', {}, as(may('tools:read'))))).toBe('forbidden');
  expect(codeOf(await call('eu__wipe', {}, as({ ...may('eu:write'), readOnly: true })))).toBe('not_found');
  expect(ran).toEqual([]);
});

test('routes apply, and a refusal sees the tool they lead to', async () => {
  const routes = [{ tool: 'eu__look', when: { region: 'us' }, to: 'us' }];
  const call = gatewayOf([source('eu'), source('us', { effect: 'update', scope: 'us:write' })], { routes });
  await call('eu__look', { region: 'us' }, as());
  expect(ran).toMatchObject([{ source: 'us' }]);
  const reading = await call('eu__look', { region: 'us' }, as(), ({ entry: { effect } }) =>
    effect === 'read' ? undefined : new AppError('forbidden', 'It changes things.'),
  );
  expect([codeOf(reading), ran.length]).toEqual(['forbidden', 1]);
});

test('a read-only gateway stays read-only', async () => {
  const call = gatewayOf([source('eu')], { chosen: { readOnly: true } });
  expect(codeOf(await call('eu__wipe', {}, as()))).toBe('forbidden');
  expect(ran).toEqual([]);
});

test('a former name is called with the arguments of that time', async () => {
  const aliases = new Map([['glance', ({ id }: Json): Json => ({ at: id })]]);
  const call = gatewayOf([{ ...source('eu', { aliases }), prefix: '' }]);
  await call('glance', { id: 7 }, as());
  expect(ran).toMatchObject([{ params: { arguments: { at: 7 } } }]);
});

test.each(['__proto__', 'constructor', '', 'toString'])('"%s" is no tool', async (name) => {
  expect(codeOf(await gatewayOf([source('eu')])(name, {}, as()))).toBe('not_found');
});
