import { expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { CallContext } from '../../kernel/source.ts';
import type { Backend } from './backend.ts';
import { createBackendSource } from './backend-source.ts';
import type { Relay } from '../relay.ts';

/** The only tool of a server behind this `presence`, and the steps of its calls. */
function toolOf(presence: { isUp(): boolean; untilUp(): Promise<void> }) {
  const steps: string[] = [];
  const backend = {
    name: 'calc',
    settings: {
      transport: { kind: 'http' },
      tools: { include: [], exclude: [], rename: {}, describe: {} },
      confirm: [],
      tags: [],
      presence: {
        isUp: presence.isUp,
        async untilUp() {
          steps.push('waited');
          await presence.untilUp();
        },
      },
    },
    catalogue: { era: 'legacy', tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
    offer: { held: new Set() },
  } as unknown as Backend;
  const relay = (async () => {
    steps.push('asked');
    return { result: { content: [] } };
  }) as unknown as Relay;
  const [entry] = createBackendSource(backend, { relay, onLinks() {}, onTask: async () => '' }).entries();
  const context = { client: { era: 'legacy' }, signal: new AbortController().signal } as unknown as CallContext;
  return { steps, call: async () => entry?.call({ name: 'add' }, context) };
}

test('a call waits for a service that is coming back before it uses the old connection', async () => {
  const { steps, call } = toolOf({ isUp: () => false, untilUp: async () => {} });
  await call();
  expect(steps).toEqual(['waited', 'asked']);
});

test('a call to a service that does not run fails with what to do, without asking it', async () => {
  const untilUp = () => Promise.reject(new AppError('unavailable', '`sluice n8n up` starts it.'));
  const { steps, call } = toolOf({ isUp: () => false, untilUp });
  await expect(call()).rejects.toThrow('`sluice n8n up` starts it.');
  expect(steps).toEqual(['waited']);
});

test('a call to a service that is up does not wait', async () => {
  const { steps, call } = toolOf({ isUp: () => true, untilUp: async () => {} });
  await call();
  expect(steps).toEqual(['asked']);
});
