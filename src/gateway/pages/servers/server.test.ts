import { expect, it } from 'vitest';
import { adviceFor, chosen, eventWords, isGroup, repeats, type Server, stateOf } from './server.ts';

const server = (name: string, more: Partial<Server> = {}): Server => ({
  name,
  state: 'RUNNING',
  transport: 'http',
  tools: 1,
  restarts: 0,
  isolation: 'shared',
  replicas: 1,
  tags: [],
  origin: 'file',
  ...more,
});

const all = [
  server('works'),
  server('off', { state: 'OFF' }),
  server('held', { held: 2 }),
  server('broken', { state: 'FAILED', lastError: { message: 'ECONNREFUSED', at: '' } }),
  server('half', { state: 'DEGRADED', tags: ['files'] }),
  server('locked', { state: 'FAILED', needsLogin: true }),
];
const names = (words: string, group: Parameters<typeof chosen>[2]) => chosen(all, words, group).map(({ name }) => name);

it('puts what needs somebody first', () => {
  expect(names('', 'all')).toEqual(['broken', 'locked', 'held', 'half', 'works', 'off']);
  expect(names('', 'problems')).toEqual(['broken', 'locked', 'held', 'half']);
  expect(names('', 'off')).toEqual(['off']);
});

it('counts in names as people do', () => {
  const numbered = chosen([server('team-10'), server('team-9'), server('team-1')], '', 'all');
  expect(numbered.map(({ name }) => name)).toEqual(['team-1', 'team-9', 'team-10']);
});

it('searches names, tags and errors', () => {
  expect(names('econn', 'all')).toEqual(['broken']);
  expect(names(' FILES ', 'running')).toEqual(['half']);
  expect(names('no such', 'all')).toEqual([]);
});

it('says the state in words, and what to do next', () => {
  expect(stateOf(all[5] as Server)).toEqual({ word: 'needs a login', tone: 'warn' });
  expect(adviceFor(all[5] as Server).next).toContain('sluice login locked');
  expect(adviceFor({ ...(all[5] as Server), login: 'http://x' }).next).toContain('Sign in.');
  expect(adviceFor(server('a', { state: 'FAILED', transport: 'stdio' })).next).toContain('stderr');
  expect(adviceFor(server('a'))).toEqual({ says: 'It works.' });
  expect(adviceFor({ ...server('a'), leftOut: ['too deep'] }).says).toContain('cannot use some');
});

it('is not confused by names that every object has', () => {
  expect(eventWords('constructor')).toBe('constructor');
  expect(eventWords('tool.call_failed')).toBe('A call failed');
  expect(isGroup('toString')).toBe(false);
});

it('says once what failed again and again', () => {
  const failed = (reason: string) => ({ at: '', type: 'gateway.backend_failed', reason, trace: '' });
  const all = ['a', 'a', 'b', 'a'].map(failed);
  expect(repeats(all).map(({ first, times }) => [first.reason, times])).toEqual([
    ['a', 2],
    ['b', 1],
    ['a', 1],
  ]);
});
