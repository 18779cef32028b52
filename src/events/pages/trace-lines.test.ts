import { describe, expect, it } from 'vitest';
import type { Event } from './event.ts';
import { plain } from './sentence.ts';
import { executionsIn, linesOf, type Ran, unknownIn } from './trace-lines.ts';
import { spansIn } from './waterfall.ts';

const START = Date.UTC(2026, 0);
const at = (ms: number) => new Date(START + ms).toISOString();
let last = 0;
const event = (event_type: string, ms: number, data: Event['data']): Event => ({
  id: ++last,
  timestamp: at(ms),
  trace_id: 'a',
  event_type,
  status: event_type.endsWith('failed') ? 'failure' : 'success',
  data: { principal: 'key:1', ...data },
});
const call = (tool: string, source: string, from: number, to: number, more: Event['data'] = {}) => [
  event('tool.call_received', from, { tool, source }),
  event('tool.call_completed', to, { tool, source, ms: to - from, ...more }),
];
const shown = (events: readonly Event[], runs: Record<string, Ran> = {}) =>
  linesOf(spansIn(events), new Map(Object.entries(runs))).map(({ depth, kind, label, start, end, state }) => [
    depth,
    kind,
    plain(label),
    start === undefined ? undefined : start - START,
    end === undefined ? undefined : end - START,
    state,
  ]);
const run: Ran = {
  url: 'https://n8n.example.com/workflow/1/executions/77',
  status: 'success',
  started: at(20),
  stopped: at(80),
  nodes: [
    { node: 'Hook', ms: 0, started: at(20) },
    { node: 'Send', ms: 50, started: at(25), failed: true, error: 'no route' },
  ],
};

describe('the lines of a trace', () => {
  it('go from the client to the server', () => {
    expect(shown(call('notes__search', 'notes', 0, 12))).toEqual([
      [0, 'client', 'Client key:1', 0, 12, 'good'],
      [1, 'call', 'notes__search', 0, 12, 'good'],
      [2, 'server', 'Server notes', 0, 12, 'unsure'],
    ]);
  });

  it('name what somebody asked for and what does not exist', () => {
    const events = [
      event('tool.call_failed', 5, { tool: '(unknown)', asked: 'notes__serch', reason: 'not_found', ms: 0 }),
    ];
    expect(shown(events)[1]).toEqual([1, 'call', 'notes__serch', 5, 5, 'bad']);
  });

  it('go into n8n, with the times that n8n says', () => {
    const events = call('run_orders', 'run', 0, 100, { execution: '77' });
    expect(executionsIn(events)).toEqual(['77']);
    expect(shown(events, { 77: run }).slice(2)).toEqual([
      [2, 'execution', 'n8n execution 77', 20, 80, 'good'],
      [3, 'node', 'Hook', 20, 20, 'good'],
      [3, 'node', 'Send', 25, 75, 'bad'],
    ]);
    expect(shown(events).slice(2)).toEqual([[2, 'execution', 'n8n execution 77', undefined, undefined, 'unsure']]);
  });

  it('draw no bar for an execution at quite another time', () => {
    const other = { ...run, started: at(9_000_000), stopped: at(9_000_060) };
    const [, , execution, node] = shown(call('run_orders', 'run', 0, 100, { execution: '77' }), { 77: other });
    expect(execution).toEqual([2, 'execution', 'n8n execution 77', undefined, undefined, 'good']);
    expect(node).toEqual([3, 'node', 'Hook', undefined, undefined, 'good']);
  });

  it('say what is not known', () => {
    const received = event('tool.call_received', 0, { tool: 's__t', source: 's' });
    const lines = linesOf(spansIn([received, ...call('s__u', 's', 5, 6)]), new Map());
    expect(lines.find(({ kind }) => kind === 'client')?.state).toBe('open');
    expect(unknownIn(lines, ['more'])).toHaveLength(4);
    expect(unknownIn([], [])).toEqual([]);
    const run = (more: Event['data']) => linesOf(spansIn(call('run_orders', 'run', 0, 9, more)), new Map());
    expect(unknownIn(run({}), [])).toEqual([expect.stringContaining('Which n8n execution')]);
    expect(unknownIn(run({ execution: '7' }), [])).toEqual([]);
  });

  it('ask n8n only for what can be an execution', () => {
    const named = (execution: unknown) => event('tool.call_completed', 0, { execution } as Event['data']);
    expect(executionsIn(['7', '7', '../8', 9, null, 'a'].map(named))).toEqual(['7']);
  });
});
