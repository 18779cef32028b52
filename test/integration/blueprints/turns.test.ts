/** Runs of one deployer do not keep those of another from their turn. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { startStepServer, type StepServer } from '../../fixtures/step-server.ts';
import { type BlueprintCalls, blueprintCalls } from '../../support/blueprints.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';
import { startGateway, type TestGateway } from '../harness.ts';

const MANY = 15;
const PLACES = 4;
const SOON = { interval: 20, timeout: 20_000 };

interface Runs {
  readonly runs: readonly { readonly run: string; readonly state: string }[];
}

describe.each(['SQLite', 'PostgreSQL'])('with %s', (kind) => {
  const isMissing = kind === 'PostgreSQL' && postgresIsMissing;
  let stack: AsyncDisposableStack;
  let server: StepServer;
  let gateway: TestGateway;
  let made = 0;

  beforeEach(async () => {
    if (isMissing) return;
    stack = new AsyncDisposableStack();
    server = stack.use(await startStepServer());
    const store = kind === 'PostgreSQL' ? { store: stack.use(await createDatabase()).url } : {};
    gateway = stack.use(
      await startGateway({
        ...store,
        auth: { mode: 'keys' },
        mcpServers: { steps: server.entry },
        blueprints: { atOnce: PLACES },
      }),
    );
  });
  afterEach(() => (isMissing ? undefined : stack.disposeAsync()));

  async function deployer(): Promise<BlueprintCalls> {
    const grant = { name: `key-${++made}`, scopes: ['admin'], createdBy: 'test', createdAt: new Date().toISOString() };
    const { key } = await createKey(gateway.runtime.store.keys, grant);
    return stack.use(await blueprintCalls(gateway, { authorization: `Bearer ${key}` }));
  }

  test.skipIf(isMissing)(
    'whoever has nothing at work begins, though another one has many runs that take long',
    async () => {
      const [busy, other] = [await deployer(), await deployer()];
      const begun: string[] = [];
      const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
      server.before = async ({ name }) => {
        begun.push(name);
        if (name === 'long') await released;
      };
      // Its time comes for all of them at once.
      await busy.call('blueprint_save', {
        text: 'name: long\nsteps: [{ id: nap, wait: 200ms }, { id: a, tool: steps__put, arguments: { name: long } }]',
      });
      await other.call('blueprint_save', {
        text: 'name: short\nsteps: [{ id: a, tool: steps__put, arguments: { name: short } }]',
      });
      for (let n = 0; n < MANY; n++) await busy.call('blueprint_deploy', { name: 'long', wait_seconds: 0 });
      const inState = async (state: string) =>
        (await busy.call<Runs>('blueprint_history', { name: 'long', state, limit: 50 })).runs.length;
      await expect.poll(() => inState('running'), SOON).toBe(PLACES - 1);
      await expect.poll(() => inState('pending'), SOON).toBe(MANY - PLACES + 1);
      for (let n = 0; n < 3; n++)
        expect(await other.call('blueprint_deploy', { name: 'short' })).toMatchObject({ state: 'succeeded' });
      expect(begun.filter((name) => name === 'long')).toHaveLength(PLACES - 1);
      release(undefined);
      await expect.poll(() => inState('succeeded'), SOON).toBe(MANY);
    },
  );
});
