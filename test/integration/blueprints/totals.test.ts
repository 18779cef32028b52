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
  async function deployed(meanwhile: (run: string) => Promise<unknown>, name = 'outer'): Promise<View> {
    const { run } = await blueprints.call<View>('blueprint_deploy', { name });
    await meanwhile(run);
    await blueprints.call('blueprint_approve', { run, approve: true });
    return blueprints.call<View>('blueprint_status', { run, wait_seconds: 60 });
  }
  const used = (column: string, most: number) => (run: string) =>
    tables().change(`UPDATE blueprint_usage SET ${column} = ? WHERE root = ?`, most, run);

  test.skipIf(isMissing)(
    'what a deployment causes is counted, and called runs keep no copy of the definitions',
    async () => {
      const { run, ...ended } = await deployed(async () => {});
      expect(ended).toMatchObject({ state: 'succeeded' });
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

  test.skipIf(isMissing)(
    'the limits are exact, however many runs, steps and results come at the same moment',
    async () => {
      const items = Array.from({ length: 20 }, (_, at) => `n${at}`);
      const each = `for_each: [${items.join(', ')}], parallel: 20`;
      const put = 'tool: steps__put, arguments: { name: "${item}" }';
      const many = (name: string, step: string) =>
        `name: ${name}\non_failure: keep\nsteps: [{ id: go, approval: Go? }, { id: all, ${each}, ${step} }]`;
      await blueprints.call('blueprint_save', { text: many('runs', 'blueprint: inner, inputs: { thing: "${item}" }') });
      await blueprints.call('blueprint_save', { text: many('steps', put) });
      const total = async (run: string) =>
        (await tables().rows<Record<string, number | string>>('SELECT * FROM blueprint_usage WHERE root = ?', run))[0];

      const runs = await deployed(used('runs', 1995), 'runs');
      expect(runs).toMatchObject({ state: 'failed', error: expect.stringContaining('has reached 2000 runs') });
      const [called] = await tables().rows<{ n: number }>(
        'SELECT count(*) AS n FROM blueprint_runs WHERE parent = ?',
        runs.run,
      );
      expect([Number(called?.n), things().length, Number((await total(runs.run))?.runs)]).toEqual([5, 5, 2000]);

      server.calls.length = 0;
      // The step itself is the first of the last eight.
      const steps = await deployed(used('steps', 49_992), 'steps');
      expect(steps).toMatchObject({ state: 'failed', error: expect.stringContaining('has reached 50000 steps') });
      expect([things().length, Number((await total(steps.run))?.steps)]).toEqual([7, 50_000]);

      server.calls.length = 0;
      const most = 256 * 1024 * 1024;
      const results = await deployed(used('bytes', most - 2500), 'steps');
      const bytes = Number((await total(results.run))?.bytes);
      expect([bytes <= most, bytes > most - 500]).toEqual([true, true]);
      const stored = await tables().rows<{ size: number | string }>(
        "SELECT LENGTH(COALESCE(sealed_result, '')) + CASE step WHEN 'all' THEN LENGTH(COALESCE(sealed_arguments, '')) ELSE 0 END AS size FROM blueprint_steps WHERE run = ?",
        results.run,
      );
      expect(stored.reduce((sum, { size }) => sum + Number(size), 0)).toBe(bytes - (most - 2500));
      expect(things().length).toBeGreaterThan(2);
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

  test.skipIf(isMissing)('the oldest ended runs go when all runs of somebody store more than 1 GB', async () => {
    const runs: string[] = [];
    for (const mb of [300, 400, 500]) {
      const { run } = await deployed(used('bytes', 0));
      await used('bytes', mb * 1024 * 1024)(run);
      runs.push(run);
    }
    const kept = async () => {
      const rows = await tables().rows<{ id: string }>('SELECT id FROM blueprint_runs ORDER BY id');
      return rows.map(({ id }) => id).filter((id) => runs.some((run) => id === run || id.startsWith(`${run}.`)));
    };
    const [oldest] = runs as [string];
    expect(await kept()).toContain(`${oldest}.call.0`);
    const { run } = await blueprints.call<View>('blueprint_deploy', { name: 'outer' });
    const left = await kept();
    expect(runs.map((one) => left.includes(one))).toEqual([false, true, true]);
    expect(left.filter((id) => id.startsWith(`${oldest}.`))).toEqual([]);
    await blueprints.call('blueprint_cancel', { run, undo: false });
  });

  test.skipIf(isMissing)('nobody begins another run while 256 MB of their own have not ended', async () => {
    const { run } = await blueprints.call<View>('blueprint_deploy', { name: 'outer' });
    await used('bytes', 256 * 1024 * 1024)(run);
    await expect(blueprints.call('blueprint_deploy', { name: 'outer' })).rejects.toThrow(
      /Your runs that have not ended take up 256 MB.*cancel some first/,
    );
    await blueprints.call('blueprint_cancel', { run, undo: false });
    const next = await blueprints.call<View>('blueprint_deploy', { name: 'outer' });
    expect(next.state).toBe('waiting');
    await blueprints.call('blueprint_cancel', { run: next.run, undo: false });
  });
});
