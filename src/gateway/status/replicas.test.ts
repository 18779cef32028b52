import { describe, expect, it } from 'vitest';
import type { Replica } from '../../kernel/shared.ts';
import { readReplicas } from './replicas.ts';

const own = { state: 'ok', problems: [], sessions: 2 } as const;

const replica = (id: string, changes: Partial<Replica> = {}): Replica => ({
  id,
  host: 'one',
  url: 'http://127.0.0.1:3500',
  pid: 1,
  version: '1.0.0',
  startedAt: '2026-11-16T12:00:00.000Z',
  seenMs: 1400,
  skewMs: 0,
  draining: false,
  leads: [],
  report: { state: 'ok', problems: [], sessions: 5, tools: 1 },
  ...changes,
});

const problemsOf = (...all: Replica[]) => readReplicas(all, { ...own, problems: [] }).problems;
const reporting = (state: Replica['report']['state'], ...problems: string[]) => ({
  report: { state, problems, sessions: 0, tools: 0 },
});

describe('the status of all replicas', () => {
  it('has nothing to say about one alone', () => {
    const { replicas, problems } = readReplicas([replica('a')], { ...own, problems: [] });
    expect(problems).toEqual([]);
    expect(replicas).toMatchObject([{ id: 'a', self: true, state: 'ok', sessions: 2, seenSeconds: 1 }]);
    expect(replicas[0]).not.toHaveProperty('draining');
  });

  it('names problems of the others, and what the server adds to our own', () => {
    const ours = replica('a', reporting('degraded', 'server x: is down', 'misled'));
    const all = [ours, replica('b', { host: 'two', url: 'http://10.0.0.2:1', ...reporting('failed', 'store: gone') })];
    const { problems } = readReplicas(all, { ...own, problems: ['server x: is down'] });
    expect(problems).toEqual(['misled', 'replica b (two): store: gone', expect.stringMatching(/^replica a \(one\)/)]);
  });

  it('leaves out servers that start together with their replica', () => {
    expect(problemsOf(replica('a'), replica('b', reporting('starting', 'server x: is starting')))).toEqual([]);
  });

  it('minds loopback addresses only between machines', () => {
    expect(problemsOf(replica('a'), replica('b'))).toEqual([]);
    const far = replica('b', { host: 'two', url: 'http://10.0.0.2:3500' });
    expect(problemsOf(replica('a'), far)).toEqual([
      expect.stringContaining('cannot reach it at http://127.0.0.1:3500'),
    ]);
    const { url: _, ...silent } = replica('c', { host: 'two' });
    expect(problemsOf(far, silent)).toEqual([]);
  });

  it('names different versions', () => {
    const problems = problemsOf(replica('a'), replica('b', { version: '1.1.0' }), replica('c'));
    expect(problems).toEqual(['Replicas run different versions: 1.0.0 (a, c), 1.1.0 (b). Finish the upgrade.']);
  });
});
