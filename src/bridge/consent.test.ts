import { expect, test } from 'vitest';
import type { Instances } from '../n8n/instances.ts';
import { mayGenerate, setConsent } from './consent.ts';
import { ownerOf } from '../n8n/generate/owner.ts';
import { markNote } from '../n8n/generated.ts';

/** An instance whose URL and workflows a test can change. */
function setUp() {
  const stored = new Map<string, unknown>();
  const it = { url: 'http://one', there: [] as unknown[], apply: 'ask' as 'ask' | 'auto' };
  const client = {
    get url() {
      return it.url;
    },
    workflows: {
      async *all() {
        yield* it.there;
      },
    },
  };
  const deps = {
    records: {
      get: async (key: string) => stored.get(key),
      put: async (key: string, value: unknown) => void stored.set(key, value),
      secret: async () => Buffer.alloc(32, 1),
    },
    instances: { get: () => client } as unknown as Instances,
    settings: () => ({ apply: it.apply }),
  };
  return { it, deps, may: () => mayGenerate(deps, 'default') };
}

test('needs consent, and withdrawn consent overrides apply: auto', async () => {
  const { it, deps, may } = setUp();
  expect(await may()).toBe(false);
  await setConsent(deps, 'default', true);
  expect(await may()).toBe(true);
  await setConsent(deps, 'default', false);
  it.apply = 'auto';
  expect(await may()).toBe(false);
});

test('consent for one n8n does not hold for another under the same name', async () => {
  const { it, deps, may } = setUp();
  await setConsent(deps, 'default', true);
  it.url = 'http://two';
  expect(await may()).toBe(false);
  it.url = 'http://one';
  expect(await may()).toBe(true);
});

test('the same n8n at another address is recognised by our generated workflows', async () => {
  const { it, deps, may } = setUp();
  await setConsent(deps, 'default', true);
  const notes = markNote('x', { owner: await ownerOf(deps.records), kind: 'endpoint', hash: 'h' });
  it.there = [{ id: 'g', name: '[sluice] W', active: true, nodes: [{ id: 'sluice-trigger', name: 'T', notes }] }];
  it.url = 'https://one.example.com';
  expect(await may()).toBe(true);
  it.there = [];
  expect(await may()).toBe(true);
});

test('a runner that n8n_execute_workflow created is no consent to the bridge', async () => {
  const { it, deps, may } = setUp();
  await setConsent(deps, 'default', true);
  const mark = { owner: await ownerOf(deps.records), kind: 'runner', part: 'asked', hash: 'h' };
  const nodes = [{ id: 'sluice-runner-call', name: 'Call', notes: markNote('x', mark) }];
  it.there = [{ id: 'g', name: '[sluice] runner', active: true, nodes }];
  it.url = 'http://two';
  expect(await may()).toBe(false);
});
