import { expect, test } from 'vitest';
import { localOwner } from '../../kernel/principal.ts';
import type { Run } from '../runs/run.ts';
import type { Runtime } from '../runtime.ts';
import { createWatching } from '../service/watching.ts';
import { viewRun } from '../service/view.ts';
import { runEvents } from './run-events.ts';

const runIn = (state: Run['state']) =>
  ({
    id: 'r-1',
    name: 'r',
    state,
    deployer: 'local',
    actor: 'local',
    createdAt: 0,
    inputs: {},
    definition: { inputs: {}, steps: [] },
  }) as unknown as Run;

test('a run is read once for all who follow it, and without what its steps were given and returned', async () => {
  let state: Run['state'] = 'running';
  let looks = 0;
  const watching = createWatching();
  const journal = {
    get: async () => runIn(state),
    timeline: async () => {
      looks++;
      return [];
    },
  };
  const open = async () => ({ journal, watching, redact: (text: string) => text }) as unknown as Runtime;
  const first = () => ({ ...viewRun(runIn(state), [], (text) => text) });
  const events = runEvents({ open, stopping: new AbortController().signal }, async () => first());
  const asked = {
    request: new Request('http://localhost/'),
    params: { run: 'r-1' },
    principal: localOwner,
    isBrowser: false,
    address: '127.0.0.1',
  };
  const streams = await Promise.all(Array.from({ length: 50 }, () => events(asked)));
  const bodies = streams.map((stream) => stream.text());
  state = 'succeeded';
  watching.changed('r-1');
  for (const body of await Promise.all(bodies)) expect(body).toContain('event: end\ndata: {"state":"succeeded"}');
  expect(looks).toBeLessThan(10);
});
