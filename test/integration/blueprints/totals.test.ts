/** How much one deployment may cause, and one principal may have open: also through the blueprints that it calls. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startStepServer, type StepServer } from '../../fixtures/step-server.ts';
import { type BlueprintCalls, blueprintCalls } from '../../support/blueprints.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';
import { startGateway, type TestGateway } from '../harness.ts';

interface View {
  readonly run: string;
  readonly state: string;
  readonly error?: string;
}

const outer = `name: outer
on_failure: keep
steps:
  - { id: go, approval: Go? }
  - { id: call, for_each: [a, b, c], parallel: 1, blueprint: inner, inputs: { thing: "\${item}" } }
outputs: { made: "\${steps.call.result.map(r, r.made)}" }`;
const inner = `name: inner
inputs: { thing: { type: string } }
description: "${'A long text that no called run needs a copy of. '.repeat(40)}"
steps: [{ id: a, tool: steps__put, arguments: { name: "\${inputs.thing}" } }]
outputs: { made: "\${steps.a.result.name}" }`;

describe.each(['SQLite', 'PostgreSQL'])('with %s', (kind) => {
  const isMissing = kind === 'PostgreSQL' && postgresIsMissing;
  let stack: AsyncDisposableStack;
  let server: StepServer;
  let gateway: TestGateway;
  let blueprints: BlueprintCalls;

  beforeAll(async () => {
    if (isMissing) return;
    stack = new AsyncDisposableStack();
    server = stack.use(await startStepServer());
    const store = kind === 'PostgreSQL' ? { store: stack.use(await createDatabase()).url } : {};
    gateway = stack.use(await startGateway({ ...store, mcpServers: { steps: server.entry } }));
    blueprints = stack.use(await blueprintCalls(gateway));
    for (const text of [inner, outer]) await blueprints.call('blueprint_save', { text });
  });
  afterAll(() => stack?.disposeAsync());
  beforeEach(() => {
    if (!isMissing) server.calls.length = 0;
  });

  const tables = () => gateway.runtime.store.tables;
  const things = () => server.calls.map(({ name }) => name);

  /** Deploys, changes something while the run waits, and lets it go on. */
  async function deployed(meanwhile: (run: string) => Promise<unknown>): Promise<View> {
    const { run } = await blueprints.call<View>('blueprint_deploy', { name: 'outer' });
    await meanwhile(run);
    await blueprints.call('blueprint_approve', { run, approve: true });
    return blueprints.call<View>('blueprint_status', { run, wait_seconds: 60 });
  }
  const used = (column: string, most: number) => (run: string) =>
    tables().change(`UPDATE blueprint_usage SET ${column} = ? WHERE root = ?`, most, run);

  test.skipIf(isMissing)(
    'what a deployment causes is counted, and called runs keep no copy of the definitions',
    async () => {
      const { run, state } = await deployed(async () => {});
      expect(state).toBe('succeeded');
      const [counted] = await tables().rows<Record<string, number | string>>(
        'SELECT runs, steps, bytes FROM blueprint_usage WHERE root = ?',
        run,
      );
      // The approval, the step of each called run, and each item and the whole of the step that calls.
      expect([Number(counted?.runs), Number(counted?.steps)]).toEqual([4, 8]);
      expect(Number(counted?.bytes)).toBeGreaterThan(1000);
      const sizes = await tables().rows<{ id: string; size: number }>(
        'SELECT id, LENGTH(sealed_definition) AS size FROM blueprint_runs WHERE id LIKE ?',
        `${run}%`,
      );
      const [own, ...called] = sizes.sort((a, b) => b.size - a.size);
      expect([own?.id, called.length]).toEqual([run, 3]);
      expect(own?.size).toBeGreaterThan(2000);
      for (const { size } of called) expect(size).toBeLessThan(300);
      expect(await blueprints.call('blueprint_status', { run: `${run}.call.0` })).toMatchObject({
        name: 'inner',
        inputs: { thing: 'a' },
      });
    },
  );

  test.skipIf(isMissing)('no more than 2000 runs begin in one deployment', async () => {
    const view = await deployed(used('runs', 1998));
    expect(view).toMatchObject({ state: 'failed', error: expect.stringContaining('has reached 2000 runs') });
    expect(things()).toEqual(['a', 'b']);
  });

  test.skipIf(isMissing)(
    'no more than 256 MB are stored for one deployment, and what was done can still be undone',
    async () => {
      const view = await deployed(used('bytes', 256 * 1024 * 1024));
      expect(view).toMatchObject({ state: 'failed', error: expect.stringContaining('has reached 256 MB') });
      expect(things()).toEqual([]);
      const text = `name: made
on_failure: undo
steps:
  - { id: one, tool: steps__put, arguments: { name: one }, undo: { tool: steps__drop, arguments: { name: one } } }
  - { id: go, approval: Go? }
  - { id: two, tool: steps__put, arguments: { name: two } }`;
      await blueprints.call('blueprint_save', { text });
      const { run } = await blueprints.confirmed<View>('blueprint_deploy', { name: 'made' });
      await used('steps', 50_000)(run);
      await blueprints.call('blueprint_approve', { run, approve: true });
      expect(await blueprints.call('blueprint_status', { run, wait_seconds: 60 })).toMatchObject({
        state: 'undone',
        error: expect.stringContaining('50000 steps'),
      });
      expect(server.calls.map(({ tool, name }) => `${tool} ${name}`)).toEqual(['put one', 'drop one']);
    },
  );

  test.skipIf(isMissing)('the limit of open runs holds for called ones, too', async () => {
    const columns =
      'name, kind, origin, hash, sealed_definition, sealed_inputs, deployer, sealed_actor, actor, state, goal, part, engine, waits, trace, created_at, updated_at';
    const view = await deployed((run) =>
      tables().change(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
         INSERT INTO blueprint_runs (id, ${columns}) SELECT 'old-' || i, ${columns.replace(' engine,', " '-',")} FROM blueprint_runs, n WHERE id = ?`,
        run,
      ),
    );
    expect(view).toMatchObject({ state: 'failed', error: expect.stringContaining('5000 runs that have not ended') });
    expect(things()).toEqual([]);
    await tables().change("DELETE FROM blueprint_runs WHERE id LIKE 'old-%'");
  });
});
