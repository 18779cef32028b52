import { describe, expect, it } from 'vitest';
import type { N8nClient } from '../client/client.ts';
import type { Node, Workflow } from '../client/shapes.ts';
import { bottomUp, settled } from './settle.ts';
import type { Stock, Workflows } from './side.ts';

const calling = (id: string): Node => ({
  id: `node-${id}`,
  name: `Call ${id}`,
  type: 'n8n-nodes-base.executeWorkflow',
  parameters: { workflowId: id },
});

const workflow = (id: string, calls: string[] = [], settings: Record<string, unknown> = {}): Workflow => ({
  id,
  name: `Workflow ${id}`,
  active: false,
  isArchived: false,
  nodes: calls.map(calling),
  connections: {},
  settings,
});

const side = (name: string, all: Workflow[]): Workflows => ({
  client: { name } as N8nClient,
  all,
  byId: new Map(all.map((one) => [one.id, one])),
  generated: new Set(['made']),
});

const stock: Stock = { credentials: [], knowsCredentials: true, tables: [], variables: [], tags: [], notes: [] };

function settle(here: Workflow[], there: Workflow[], asked: object = {}, wanted = ['a'], has: Partial<Stock> = {}) {
  const source = side('staging', here);
  const result = settled(
    here.filter(({ id }) => wanted.includes(id)),
    asked,
    { workflows: source, credentials: [], tables: [] },
    side('production', there),
    { ...stock, ...has },
    [],
  );
  return { ...result, ids: bottomUp(result.chosen, result.find).map((one) => one.source.id) };
}

describe('what is promoted', () => {
  it('brings what is called, transitively, and puts it first', () => {
    const { ids } = settle([workflow('a', ['b', 'c']), workflow('b', ['c']), workflow('c'), workflow('d')], []);
    expect(ids).toEqual(['c', 'b', 'a']);
  });

  it('orders a circle and a long chain', () => {
    expect(settle([workflow('a', ['b']), workflow('b', ['a'])], []).ids).toEqual(['b', 'a']);
    const chain = Array.from({ length: 3000 }, (_, index) =>
      workflow(`w${index}`, index < 2999 ? [`w${index + 1}`] : []),
    );
    expect(settle(chain, [], {}, ['w0']).ids[0]).toBe('w2999');
  });

  it('refers to what the target has, and updates it only on request', () => {
    const here = [workflow('a', ['b']), workflow('b', ['c']), workflow('c')];
    const there = [{ ...workflow('x'), name: 'Workflow b' }];
    expect(settle(here, there).ids).toEqual(['a']);
    expect(settle(here, there, { update_dependencies: true }).ids).toEqual(['c', 'b', 'a']);
    // What stands for it was chosen by hand, so it is not overwritten.
    const mapped = { update_dependencies: true, mapping: { workflows: { b: 'x' } } };
    expect(settle(here, there, mapped).ids).toEqual(['a']);
  });

  it('reports holes: what may not be created, what nobody has, and what Sluice generates', () => {
    const holes = (here: Workflow[], asked: object = {}) =>
      [...settle(here, [], asked).needs.values()].flatMap((need) => (need.state === 'hole' ? [need.why] : []));
    expect(holes([workflow('a', ['b']), workflow('b')], { include: ['tags'] })).toEqual([
      'production does not have it',
    ]);
    expect(holes([workflow('a', ['gone'])])).toEqual(['neither staging nor production has it']);
    expect(holes([workflow('a', ['made'])])).toEqual([expect.stringContaining('Sluice generated it')]);
    expect(holes([workflow('a', ['b']), { ...workflow('b'), isArchived: true }])).toEqual([
      'production does not have it',
    ]);
  });

  it('believes the mapping of a data table if the target does not list its tables', () => {
    const rows: Node = { name: 'Rows', type: 'n8n-nodes-base.dataTable', parameters: { dataTableId: 't1' } };
    const asked = { mapping: { data_tables: { t1: 't2' } } };
    const { needs } = settle([{ ...workflow('a'), nodes: [rows] }], [], asked, ['a'], { tables: undefined });
    expect([...needs.values()]).toMatchObject([{ state: 'mapped', to: { id: 't2' } }]);
  });

  it('leaves out callers that the target lacks', () => {
    const { needs } = settle([workflow('a', [], { callerIds: 'b' }), workflow('b')], []);
    expect([...needs.values()].map(({ state }) => state)).toEqual(['dropped']);
  });

  it('refuses to overwrite one workflow with two', () => {
    const twice = [workflow('a'), { ...workflow('b'), name: 'Workflow a' }];
    expect(() => settle(twice, [{ ...workflow('x'), name: 'Workflow a' }], {}, ['a', 'b'])).toThrow(
      /would both become x/,
    );
  });
});
