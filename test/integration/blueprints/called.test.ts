/** Blueprints that call blueprints, when something goes wrong. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startStepServer, type StepServer } from '../../fixtures/step-server.ts';
import { type BlueprintCalls, blueprintCalls } from '../../support/blueprints.ts';
import { startGateway, type TestGateway } from '../harness.ts';

interface View {
  run: string;
  state: string;
  error?: string;
  outputs?: Record<string, unknown>;
  waits?: { for: string; step: string; question?: string };
  steps: { step: string; state: string; error?: string; undo?: string; items?: object }[];
}

let server: StepServer;
let gateway: TestGateway;
let blueprints: BlueprintCalls;
beforeAll(async () => {
  server = await startStepServer();
  gateway = await startGateway({ mcpServers: { steps: server.entry } });
  blueprints = await blueprintCalls(gateway);
});
afterAll(async () => {
  await blueprints[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.calls.length = 0;
  server.things.clear();
  server.before = () => {};
});

let saved = 0;
async function save(yaml: string): Promise<string> {
  const name = `called-${++saved}`;
  await blueprints.call('blueprint_save', { text: `name: ${name}\n${yaml}` });
  return name;
}

const deploy = async (yaml: string) =>
  (await blueprints.confirmed<View>('blueprint_deploy', { name: await save(yaml), wait_seconds: 0 })).run;
const ended = (run: string) => blueprints.call<View>('blueprint_status', { run, wait_seconds: 30 });
const called = () => server.calls.map(({ tool, name }) => `${tool} ${name}`);
const things = () => [...server.things.keys()];
const dropped = (name: string) => `undo: { tool: steps__drop, arguments: { name: ${name} } }`;
const never = () => new Promise<void>((resolve) => setTimeout(resolve, 60_000).unref());

const inner = () =>
  save(`steps:
  - { id: make, tool: steps__put, arguments: { name: inner }, ${dropped('inner')} }
  - { id: slow, tool: steps__put, arguments: { name: slow }, ${dropped('slow')} }
outputs: { made: "\${steps.make.result.name}" }`);

/** A run whose called blueprint is in the middle of its second step. */
async function stuck(): Promise<string> {
  server.before = ({ tool, name }) => (tool === 'put' && name === 'slow' ? never() : undefined);
  const run = await deploy(`steps:
  - { id: first, tool: steps__put, arguments: { name: outer }, ${dropped('outer')} }
  - { id: sub, blueprint: ${await inner()} }
  - { id: last, tool: steps__put, arguments: { name: last } }
outputs: { made: "\${steps.sub.result.made}" }`);
  await expect.poll(called).toContain('put slow');
  return run;
}

describe('a run that is cancelled while it waits for a blueprint', () => {
  test('and is undone later undoes what that blueprint did', async () => {
    const run = await stuck();
    expect(await blueprints.call('blueprint_cancel', { run, undo: false })).toMatchObject({ state: 'cancelled' });
    await expect.poll(() => ended(`${run}.sub`)).toMatchObject({ state: 'cancelled' });
    expect(await blueprints.confirmed('blueprint_undo', { run })).toMatchObject({ state: 'undone' });
    expect(things()).toEqual([]);
    expect(await ended(`${run}.sub`)).toMatchObject({ state: 'undone' });
  });

  test('and is resumed goes on in that blueprint', async () => {
    const run = await stuck();
    await blueprints.call('blueprint_cancel', { run, undo: false });
    await expect.poll(() => ended(`${run}.sub`)).toMatchObject({ state: 'cancelled' });
    server.before = () => {};
    await blueprints.confirmed('blueprint_resume', { run });
    expect(await ended(run)).toMatchObject({ state: 'succeeded', outputs: { made: 'inner' } });
    expect(called().filter((call) => call === 'put inner')).toHaveLength(1);
  });

  test('and is resumed before that blueprint has stopped goes on in it, too', async () => {
    const run = await stuck();
    const { journal } = await gateway.runtime.apis.blueprints.open();
    const { end } = journal;
    const { promise, resolve: stops } = Promise.withResolvers<void>();
    journal.end = async (id, ...given) => {
      if (id === `${run}.sub`) await promise;
      return end(id, ...given);
    };
    try {
      expect(await blueprints.call('blueprint_cancel', { run, undo: false })).toMatchObject({ state: 'cancelled' });
      server.before = () => {};
      await blueprints.confirmed('blueprint_resume', { run, wait_seconds: 0 });
      await expect.poll(() => blueprints.call('blueprint_status', { run })).toMatchObject({ state: 'waiting' });
    } finally {
      journal.end = end;
      stops();
    }
    expect(await ended(run)).toMatchObject({ state: 'succeeded', outputs: { made: 'inner' } });
  });

  test('with undo is not undone before that blueprint is', async () => {
    const run = await stuck();
    server.before = ({ tool, name }) => {
      if (tool === 'drop' && name === 'inner') throw new Error('stuck');
    };
    await blueprints.call('blueprint_cancel', { run, undo: true });
    expect(await ended(run)).toMatchObject({ state: 'failed', error: expect.stringContaining('stuck') });
    expect(things()).toEqual(['inner']);
    // And what could not be undone in it is tried again.
    server.before = () => {};
    expect(await blueprints.confirmed('blueprint_undo', { run })).toMatchObject({ state: 'undone' });
    expect(things()).toEqual([]);
  });
});

test('what is unknown in a called blueprint and was done does not skip the rest of it', async () => {
  const sub = await save(`steps:
  - { id: once, tool: steps__act, arguments: { name: once }, timeout: 300ms }
  - { id: rest, tool: steps__put, arguments: { name: rest } }
outputs: { rest: "\${steps.rest.result.name}" }`);
  server.before = ({ tool }) => (tool === 'act' ? never() : undefined);
  const run = await deploy(`steps: [{ id: sub, blueprint: ${sub} }]\noutputs: { rest: "\${steps.sub.result.rest}" }`);
  expect(await ended(run)).toMatchObject({ state: 'unknown' });
  await blueprints.confirmed('blueprint_resume', { run, unknown: 'done' });
  expect(await ended(run)).toMatchObject({ state: 'succeeded', outputs: { rest: 'rest' } });
  expect(called()).toEqual(['act once', 'put rest']);
});

test('no more blueprints are carried out at a time than parallel says, and none after a failure', async () => {
  let running = 0;
  let most = 0;
  server.before = async ({ name }) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 50));
    running--;
    if (name === 't3') throw new Error('no t3');
  };
  const sub = await save(`inputs: { n: { type: string } }
steps: [{ id: make, tool: steps__put, arguments: { name: "\${inputs.n}" }, ${dropped('"${inputs.n}"')} }]`);
  const run = await deploy(`on_failure: keep
steps: [{ id: all, for_each: [t0, t1, t2, t3, t4, t5, t6], parallel: 2, blueprint: ${sub}, inputs: { n: "\${item}" } }]`);
  expect(await ended(run)).toMatchObject({ state: 'failed', steps: [{ items: { done: 3, failed: 1 } }] });
  expect(most).toBe(2);
  expect(called()).not.toContain('put t4');
});

test('blueprints that call each other for each item may be as deep as others', async () => {
  let name = await save('steps: [{ id: make, tool: steps__put, arguments: { name: deep } }]');
  for (let n = 0; n < 5; n++) name = await save(`steps: [{ id: down, for_each: [1], blueprint: ${name} }]`);
  const { run } = await blueprints.confirmed<View>('blueprint_deploy', { name, wait_seconds: 0 });
  expect(await ended(run)).toMatchObject({ state: 'succeeded' });
  expect(called()).toEqual(['put deep']);
});

describe('a called blueprint that was undone', () => {
  const sub = () =>
    save(`steps:
  - { id: make, tool: steps__put, arguments: { name: inner }, ${dropped('inner')} }
  - { id: fragile, tool: steps__act, arguments: { name: fragile } }`);
  const failing = (times: number) => {
    let left = times;
    server.before = ({ tool }) => {
      if (tool === 'act' && left-- > 0) throw new Error('not yet');
    };
  };

  test('is begun anew when the run is resumed, with other keys', async () => {
    failing(1);
    const run = await deploy(`on_failure: keep\nsteps: [{ id: sub, blueprint: ${await sub()} }]`);
    expect(await ended(run)).toMatchObject({ state: 'failed' });
    expect(things()).toEqual([]);
    await blueprints.confirmed('blueprint_resume', { run });
    expect(await ended(run)).toMatchObject({ state: 'succeeded' });
    expect(things()).toEqual(['inner', 'fragile']);
    const keys = server.calls.filter(({ tool }) => tool === 'put').map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
    expect(await blueprints.confirmed('blueprint_undo', { run })).toMatchObject({ state: 'undone' });
    expect(things()).toEqual(['fragile']);
  });

  test('is tried again as often as retry says', async () => {
    failing(2);
    const run = await deploy(`steps: [{ id: sub, blueprint: ${await sub()}, retry: { times: 2, backoff: 10ms } }]`);
    await expect.poll(() => ended(run), { timeout: 20_000 }).toMatchObject({ state: 'succeeded' });
    expect(things()).toEqual(['inner', 'fragile']);
  });
});

test('a called blueprint that takes longer than its step may is stopped and undone', async () => {
  const sub = await save(`steps:
  - { id: make, tool: steps__put, arguments: { name: inner }, ${dropped('inner')} }
  - { id: long, wait: 1h }`);
  const run = await deploy(`steps: [{ id: sub, blueprint: ${sub}, timeout: 300ms }]`);
  await expect
    .poll(() => ended(run))
    .toMatchObject({ state: 'undone', error: expect.stringContaining('did not end within 0.3 s') });
  expect(things()).toEqual([]);
});
