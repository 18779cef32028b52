import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deployDue, prune } from '../../../src/blueprints/sweep.ts';
import { createJournal } from '../../../src/blueprints/runs/journal.ts';
import type { Run } from '../../../src/blueprints/runs/run.ts';
import { startStepServer, type StepServer } from '../../fixtures/step-server.ts';
import { type BlueprintCalls, blueprintCalls } from '../../support/blueprints.ts';
import { startGateway, type TestGateway } from '../harness.ts';

interface View {
  run: string;
  state: string;
  error?: string;
  outputs?: Record<string, unknown>;
  waits?: { for: string; step: string; question?: string; reason?: string };
  steps: {
    step: string;
    state: string;
    attempts?: number;
    error?: string;
    note?: string;
    undo?: string;
    items?: object;
  }[];
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
/** Saves a blueprint under a new name and returns the name. */
async function save(yaml: string): Promise<string> {
  const name = `test-${++saved}`;
  await blueprints.call('blueprint_save', { text: `name: ${name}\n${yaml}` });
  return name;
}

async function run(yaml: string, inputs: object = {}): Promise<View> {
  const { run: id } = await blueprints.confirmed<View>('blueprint_deploy', {
    name: await save(yaml),
    inputs,
    wait_seconds: 0,
  });
  return ended(id);
}

const ended = (id: string) => blueprints.call<View>('blueprint_status', { run: id, wait_seconds: 30 });
const called = () => server.calls.map(({ tool, name }) => `${tool} ${name}`);
const stateOf = ({ steps }: View, id: string) => steps.find(({ step }) => step === id)?.state;
const dropped = (name: string) => `undo: { tool: steps__drop, arguments: { name: ${name} } }`;

describe('steps', () => {
  test('run in order, see the inputs and the results before them, and carry one key each', async () => {
    const view = await run(
      `inputs: { who: { type: string }, n: { type: integer, default: 2 } }
steps:
  - { id: first, tool: steps__put, arguments: { name: "\${inputs.who}", value: "\${inputs.n + 1}" } }
  - { id: second, tool: steps__look, arguments: { name: "\${steps.first.result.name}!" } }
outputs: { value: "\${steps.first.result.value}", text: "v\${steps.first.result.value}" }`,
      { who: 'ana' },
    );
    expect(view).toMatchObject({ state: 'succeeded', outputs: { value: 3, text: 'v3' } });
    expect(server.calls).toMatchObject([
      { tool: 'put', args: { name: 'ana', value: 3 }, key: `${view.run}:first` },
      { tool: 'look', args: { name: 'ana!' }, key: `${view.run}:second` },
    ]);
  });

  test('are skipped if `when` says so, and later steps see it', async () => {
    const view = await run(`steps:
  - { id: maybe, when: "\${1 > 2}", tool: steps__put, arguments: { name: a } }
  - { id: then, when: "\${steps.maybe.skipped}", tool: steps__put, arguments: { name: b } }`);
    expect(view.state).toBe('succeeded');
    expect(stateOf(view, 'maybe')).toBe('skipped');
    expect(called()).toEqual(['put b']);
  });

  test('repeat for each item, a few at a time, each with its own key', async () => {
    let running = 0;
    let most = 0;
    server.before = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
    };
    const view = await run(
      `inputs: { hosts: { type: array, items: { type: string } } }
steps:
  - { id: all, for_each: "\${inputs.hosts}", as: host, parallel: 3, tool: steps__put, arguments: { name: "\${host}", value: "\${index}" } }
outputs: { names: "\${steps.all.result.map(r, r.name)}" }`,
      { hosts: Array.from({ length: 10 }, (_, n) => `h${n}`) },
    );
    expect(view.outputs).toEqual({ names: Array.from({ length: 10 }, (_, n) => `h${n}`) });
    expect(new Set(server.calls.map(({ key }) => key))).toEqual(
      new Set(Array.from({ length: 10 }, (_, n) => `${view.run}:all:${n}`)),
    );
    expect(most).toBe(3);
  });

  test('refuse more than 300 items, and nothing is done', async () => {
    const view = await run(
      `inputs: { hosts: { type: array } }
steps: [{ id: all, for_each: "\${inputs.hosts}", tool: steps__put, arguments: { name: x } }]`,
      { hosts: Array.from({ length: 301 }, () => 'h') },
    );
    expect(view).toMatchObject({ state: 'undone', error: expect.stringContaining('At most 300') });
    expect(server.calls).toEqual([]);
  });

  test('are tried again as often as `retry` says, and keep their key', async () => {
    let tries = 0;
    server.before = () => {
      if (++tries < 3) throw new Error('busy');
    };
    const view = await run(
      `steps: [{ id: stubborn, tool: steps__put, arguments: { name: a }, retry: { times: 3, backoff: 10ms } }]`,
    );
    expect(view).toMatchObject({ state: 'succeeded', steps: [{ attempts: 3 }] });
    expect(new Set(server.calls.map(({ key }) => key)).size).toBe(1);
  });

  test('fail when their time is up; what is not safe to repeat is unknown instead', async () => {
    const hang = () => new Promise<void>((resolve) => setTimeout(resolve, 60_000).unref());
    server.before = hang;
    const repeatable = await run(
      `on_failure: keep\nsteps: [{ id: slow, tool: steps__put, arguments: { name: a }, timeout: 300ms }]`,
    );
    expect(repeatable).toMatchObject({ state: 'failed', error: expect.stringContaining('did not end within 0.3 s') });
    const other = await run(`steps: [{ id: slow, tool: steps__act, arguments: { name: a }, timeout: 300ms }]`);
    expect(other).toMatchObject({ state: 'unknown', error: expect.stringContaining('nobody knows') });
  });

  test('with a result of 10 MB are done, and say that it is not kept', async () => {
    const view = await run(`on_failure: keep
steps:
  - { id: big, tool: steps__put, arguments: { name: a, bytes: 10000000 } }
  - { id: use, tool: steps__look, arguments: { name: "\${steps.big.result.big}" } }`);
    expect(view.steps).toMatchObject([
      { state: 'done', note: expect.stringContaining('not kept') },
      { state: 'failed', error: expect.stringMatching(/big/) },
    ]);
    expect(called()).toEqual(['put a']);
  });

  test('wait for time and for an event', async () => {
    const name = await save(`steps:
  - { id: nap, wait: 100ms }
  - { id: seen, wait: { event: memory.erased, where: "\${event.data.memories == 1}" }, timeout: 1m }
outputs: { who: "\${steps.seen.result.data.principal}" }`);
    const { run: id } = await blueprints.call<View>('blueprint_deploy', { name, wait_seconds: 0 });
    await expect
      .poll(() => blueprints.call<View>('blueprint_status', { run: id }))
      .toMatchObject({ waits: { for: 'event', step: 'seen' } });
    const { id: memory } = await blueprints.call<{ id: string }>('memory_store', { text: 'soon forgotten' });
    await blueprints.confirmed('memory_forget', { ids: [memory] });
    expect(await ended(id)).toMatchObject({ state: 'succeeded', outputs: { who: 'local' } });
  });

  test('that wait for an event do not take one from before they began', async () => {
    const view = await run(`on_failure: keep
steps:
  - { id: make, tool: steps__put, arguments: { name: a } }
  - { id: seen, wait: { event: tool.call_completed, where: "\${event.data.tool == 'steps__put'}" }, timeout: 1500ms }`);
    await expect
      .poll(() => ended(view.run))
      .toMatchObject({ state: 'failed', error: expect.stringContaining('in time') });
  });

  test('call another blueprint and use its outputs; undoing undoes it, too', async () => {
    const inner = await save(`inputs: { name: { type: string } }
steps: [{ id: make, tool: steps__put, arguments: { name: "\${inputs.name}" }, ${dropped('"${inputs.name}"')} }]
outputs: { made: "\${steps.make.result.name}" }`);
    const view = await run(`steps:
  - { id: sub, blueprint: ${inner}, inputs: { name: inner } }
  - { id: use, tool: steps__put, arguments: { name: "\${steps.sub.result.made}2" }, ${dropped('inner2')} }`);
    expect(view.state).toBe('succeeded');
    expect([...server.things.keys()]).toEqual(['inner', 'inner2']);
    const undone = await blueprints.confirmed<View>('blueprint_undo', { run: view.run });
    expect(undone.state).toBe('undone');
    expect([...server.things.keys()]).toEqual([]);
    expect(called().slice(-2)).toEqual(['drop inner2', 'drop inner']);
  });
});

describe('a failure', () => {
  const broken = (more = '') => `${more}
steps:
  - { id: one, tool: steps__put, arguments: { name: one }, ${dropped('one')} }
  - { id: two, for_each: "\${['a', 'b']}", tool: steps__put, arguments: { name: "\${item}" }, ${dropped('"${item}"')} }
  - { id: three, tool: steps__act, arguments: { name: three }, ${dropped('three')} }`;
  const failing = () => {
    server.before = ({ tool, name }) => {
      if (tool === 'act' && name === 'three') throw new Error('no room');
    };
  };

  test('undoes what was done, in reverse, but not the step that failed', async () => {
    failing();
    const view = await run(broken());
    expect(view).toMatchObject({ state: 'undone', error: expect.stringContaining('no room') });
    expect(called().slice(-3)).toEqual(['drop b', 'drop a', 'drop one']);
    expect([...server.things.keys()]).toEqual([]);
    expect(server.calls.at(-1)?.key).toBe(`${view.run}:one:undo`);
  });

  test('is kept if the blueprint says so, and the run goes on from there', async () => {
    failing();
    const view = await run(broken('on_failure: keep'));
    expect(view.state).toBe('failed');
    expect([...server.things.keys()].sort()).toEqual(['a', 'b', 'one']);
    server.before = () => {};
    const again = await blueprints.confirmed<View>('blueprint_resume', { run: view.run });
    expect(again.state).toBe('succeeded');
    expect(called().filter((call) => call === 'put one')).toHaveLength(1);
    expect(called().filter((call) => call === 'act three')).toHaveLength(2);
  });

  test('of an undo leaves the others undone, is named, and can be tried again', async () => {
    server.before = ({ tool, name }) => {
      if (name === 'three' || (tool === 'drop' && name === 'a')) throw new Error('stuck');
    };
    const view = await run(broken());
    expect(view).toMatchObject({ state: 'failed', error: expect.stringContaining('Not everything could be undone') });
    expect([...server.things.keys()]).toEqual(['a']);
    expect(await blueprints.confirmed('blueprint_undo', { run: view.run })).toMatchObject({ error: view.error });
    server.before = () => {};
    const undone = await blueprints.confirmed<View>('blueprint_undo', { run: view.run });
    expect(undone).toMatchObject({ state: 'undone', error: 'The step three failed: stuck' });
    expect([...server.things.keys()]).toEqual([]);
    expect(called().filter((call) => call === 'drop one')).toHaveLength(1);
  });
});

describe('an approval', () => {
  const asking = `steps:
  - { id: make, tool: steps__put, arguments: { name: made }, ${dropped('made')} }
  - { id: go, approval: "Go live with \${steps.make.result.name}?" }
  - { id: live, tool: steps__put, arguments: { name: live } }
outputs: { by: "\${steps.go.result.by}" }`;

  test('is given by tool, with a note that says who', async () => {
    const waiting = await run(asking);
    expect(waiting).toMatchObject({
      state: 'waiting',
      waits: { for: 'approval', step: 'go', question: 'Go live with made?' },
    });
    await blueprints.call('blueprint_approve', { run: waiting.run, step: 'go', approve: true, comment: 'tested' });
    const view = await ended(waiting.run);
    expect(view).toMatchObject({ state: 'succeeded', outputs: { by: 'local' } });
    expect(view.steps[1]?.note).toBe('Approved by local: tested');
    await expect(blueprints.call('blueprint_approve', { run: waiting.run, step: 'go', approve: true })).rejects.toThrow(
      'does not wait',
    );
  });

  test('that is refused fails the run, and what was done is undone', async () => {
    const waiting = await run(asking);
    await blueprints.call('blueprint_approve', { run: waiting.run, approve: false, comment: 'not today' });
    expect(await ended(waiting.run)).toMatchObject({ state: 'undone', error: expect.stringContaining('not today') });
    expect(called()).toEqual(['put made', 'drop made']);
  });

  test('that nobody gives in time fails', async () => {
    expect(await run(`steps: [{ id: go, approval: Now?, timeout: 300ms }]`)).toMatchObject({ state: 'waiting' });
    const { runs } = await blueprints.call<{ runs: View[] }>('blueprint_history', { limit: 1 });
    await expect
      .poll(() => ended(runs[0]?.run as string), { timeout: 10_000 })
      .toMatchObject({ state: 'undone', error: expect.stringContaining('Nobody decided') });
  });
});

test('an approval that comes when its time is up is refused, or counts', async () => {
  const name = await save('on_failure: keep\nsteps: [{ id: go, approval: Now?, timeout: 300ms }]');
  const { run: id } = await blueprints.call<View>('blueprint_deploy', { name, wait_seconds: 0 });
  await expect.poll(() => blueprints.call('blueprint_status', { run: id })).toMatchObject({ state: 'waiting' });
  const { journal } = await gateway.runtime.apis.blueprints.open();
  const { decide } = journal;
  journal.decide = async (...given) => {
    if (given[3].principal === 'local') await expect.poll(() => ended(id)).toMatchObject({ state: 'failed' });
    return decide(...given);
  };
  const late = blueprints.call('blueprint_approve', { run: id, approve: true });
  try {
    await expect(late).rejects.toThrow('in time');
  } finally {
    journal.decide = decide;
  }
});

describe('cancelling', () => {
  const slow = `steps:
  - { id: one, tool: steps__put, arguments: { name: one }, ${dropped('one')} }
  - { id: two, tool: steps__put, arguments: { name: two }, ${dropped('two')} }
  - { id: three, tool: steps__put, arguments: { name: three } }`;
  async function stuck(): Promise<string> {
    server.before = ({ name, tool }) =>
      tool === 'put' && name === 'two' ? new Promise((resolve) => setTimeout(resolve, 60_000).unref()) : undefined;
    const { run: id } = await blueprints.call<View>('blueprint_deploy', { name: await save(slow), wait_seconds: 0 });
    await expect.poll(called).toContain('put two');
    return id;
  }

  test('stops what runs and leaves what was done', async () => {
    const id = await stuck();
    expect(await blueprints.call('blueprint_cancel', { run: id, undo: false })).toMatchObject({ state: 'cancelled' });
    expect([...server.things.keys()]).toEqual(['one']);
    expect(await blueprints.confirmed('blueprint_undo', { run: id })).toMatchObject({ state: 'undone' });
    expect([...server.things.keys()]).toEqual([]);
    expect(called()).toEqual(['put one', 'put two', 'drop one']);
  });

  test('undoes what was done if asked to', async () => {
    const id = await stuck();
    expect(await blueprints.call('blueprint_cancel', { run: id, undo: true })).toMatchObject({ state: 'undone' });
    expect(called()).toEqual(['put one', 'put two', 'drop one']);
  });

  test('ends a run that waits', async () => {
    const view = await run(`steps: [{ id: go, approval: Now? }]`);
    expect(await blueprints.call('blueprint_cancel', { run: view.run, undo: false })).toMatchObject({
      state: 'cancelled',
    });
  });
});

describe('undoing', () => {
  /** A run that is in the middle of undoing its second step. */
  async function undoing(): Promise<{ id: string; release: () => void }> {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    const view = await run(`steps:
  - { id: one, tool: steps__put, arguments: { name: one }, undo: { tool: steps__act, arguments: { name: un-one } } }
  - { id: two, tool: steps__put, arguments: { name: two }, undo: { tool: steps__act, arguments: { name: un-two } } }
  - { id: three, tool: steps__put, arguments: { name: three }, ${dropped('three')} }`);
    server.before = ({ name }) => (name === 'un-two' ? promise : undefined);
    await blueprints.confirmed('blueprint_undo', { run: view.run, wait_seconds: 0 });
    await expect.poll(called).toContain('act un-two');
    return { id: view.run, release };
  }

  test('that was cancelled is not resumed as if nothing had been undone, but can be undone on', async () => {
    const { id, release } = await undoing();
    expect(await blueprints.call('blueprint_cancel', { run: id, undo: false })).toMatchObject({ state: 'cancelled' });
    release();
    server.before = () => {};
    await expect(blueprints.confirmed('blueprint_resume', { run: id })).rejects.toThrow('was being undone');
    expect(await blueprints.confirmed('blueprint_undo', { run: id })).toMatchObject({ state: 'undone' });
    expect(called().filter((call) => call === 'drop three')).toHaveLength(1);
  });

  test('asked for twice at the same time does not stop what the first began', async () => {
    const view = await run(`steps:
  - { id: one, tool: steps__put, arguments: { name: one }, undo: { tool: steps__act, arguments: { name: un-one } } }`);
    const { control, journal } = await gateway.runtime.apis.blueprints.open();
    const principal = { id: 'local', name: 'local', scopes: 'all' } as const;
    // The second has read the run before the first changed it.
    const seen = await journal.get(view.run);
    const { promise, resolve: release } = Promise.withResolvers<void>();
    server.before = () => promise;
    await control.undo(view.run, false, principal);
    await expect.poll(called).toContain('act un-one');
    const get = journal.get;
    journal.get = async () => seen;
    const second = control.undo(view.run, false, principal);
    try {
      await expect(second).rejects.toThrow('changed at the same time');
    } finally {
      journal.get = get;
    }
    release();
    expect(await ended(view.run)).toMatchObject({ state: 'undone' });
    expect(called().filter((call) => call === 'act un-one')).toHaveLength(1);
  });
});

describe('what is not sure', () => {
  const unsure = `steps:
  - { id: one, tool: steps__put, arguments: { name: one }, ${dropped('one')} }
  - { id: two, tool: steps__act, arguments: { name: two }, ${dropped('two')} }`;

  test('is left alone by an undo, can be undone on demand afterwards, and not twice', async () => {
    server.before = ({ tool, name }) => {
      if (tool === 'act' && name === 'two') throw new Error('no room');
    };
    const view = await run(unsure);
    expect(view.state).toBe('undone');
    await expect(blueprints.confirmed('blueprint_undo', { run: view.run })).rejects.toThrow('undone already');
    const all = { run: view.run, include_unsure: true };
    expect(await blueprints.confirmed('blueprint_undo', all)).toMatchObject({ state: 'undone' });
    expect(called().slice(2)).toEqual(['drop one', 'drop two']);
    await expect(blueprints.confirmed('blueprint_undo', all)).rejects.toThrow('undone already');
  });

  test('is named if a run is cancelled and undone while it ran', async () => {
    server.before = ({ tool }) =>
      tool === 'act' ? new Promise((resolve) => setTimeout(resolve, 60_000).unref()) : undefined;
    const { run: id } = await blueprints.call<View>('blueprint_deploy', { name: await save(unsure), wait_seconds: 0 });
    await expect.poll(called).toContain('act two');
    expect(await blueprints.call('blueprint_cancel', { run: id, undo: true })).toMatchObject({
      state: 'undone',
      error: expect.stringMatching(/Nobody knows whether two took effect/),
    });
  });

  test('is what a process left running that died while its run was cancelled', async () => {
    const view = await run(unsure);
    const { journal, start } = await gateway.runtime.apis.blueprints.open();
    const id = `${view.run}-dead`;
    await journal.create({ ...((await journal.get(view.run)) as Run), id });
    const unit = { run: id, item: -1, phase: 'do', attempt: 1, after: undefined } as const;
    await journal.begin({ ...unit, step: 'one', repeatable: true }, { part: 1, goal: 'finish' });
    await journal.begin({ ...unit, step: 'two', repeatable: false }, { part: 1, goal: 'finish' });
    await journal.aim(id, 'stop');
    await start(id, 1);
    expect(await ended(id)).toMatchObject({
      state: 'cancelled',
      steps: [{ state: 'cancelled' }, { state: 'unknown', error: expect.stringContaining('nobody knows') }],
    });
  });
});

describe('bad input', () => {
  test('names every problem, and no run begins', async () => {
    const name = await save(`inputs: { n: { type: integer }, s: { type: string, pattern: "^[a-z]+$" } }
steps: [{ id: a, tool: steps__put, arguments: { name: "\${inputs.s}" } }]`);
    await expect(blueprints.call('blueprint_deploy', { name, inputs: { n: 'x', s: 'A', t: 1 } })).rejects.toThrow(
      /n.*\n?.*s.*\n?.*t/s,
    );
    await expect(blueprints.call('blueprint_deploy', { name })).rejects.toThrow(/n/);
    expect(await blueprints.call('blueprint_history', { name })).toEqual({ runs: [] });
    await expect(blueprints.call('blueprint_deploy', { name: 'test-1x' })).rejects.toThrow(
      'There is no blueprint test-1x. Did you mean',
    );
  });

  test('a definition with an unknown tool is saved with a finding, and cannot be deployed', async () => {
    const name = await save('steps: [{ id: a, tool: steps__putt, arguments: { name: x } }]');
    await expect(blueprints.call('blueprint_deploy', { name })).rejects.toThrow(/line 2.*steps__put/s);
  });

  test('the same run_id is the same run; with other inputs it is refused', async () => {
    const name = await save(`inputs: { n: { type: integer } }
steps: [{ id: a, tool: steps__put, arguments: { name: "x\${inputs.n}" } }]`);
    const deploy = (n: number) => blueprints.call<View>('blueprint_deploy', { name, inputs: { n }, run_id: 'mine' });
    const [one, two, three] = await Promise.all([deploy(1), deploy(1), deploy(1)]);
    expect(new Set([one.run, two.run, three.run]).size).toBe(1);
    expect(await deploy(1)).toMatchObject({ run: one.run, state: 'succeeded' });
    expect(called()).toEqual(['put x1']);
    await expect(deploy(2)).rejects.toThrow('run_id mine before');
  });

  test('a run keeps the definition it began with', async () => {
    const name = await save(`steps:
  - { id: go, approval: Now? }
  - { id: a, tool: steps__put, arguments: { name: old } }`);
    const { run: id } = await blueprints.call<View>('blueprint_deploy', { name });
    await blueprints.call('blueprint_save', {
      text: `name: ${name}\nsteps: [{ id: a, tool: steps__put, arguments: { name: new } }]`,
    });
    await blueprints.call('blueprint_approve', { run: id, approve: true });
    expect(await ended(id)).toMatchObject({ state: 'succeeded' });
    expect(called()).toEqual(['put old']);
  });
});

describe('nothing is repeated that is not safe', () => {
  test('a call that was cancelled while it ran is unknown, and resuming asks how it was', async () => {
    server.before = ({ tool }) =>
      tool === 'act' ? new Promise((resolve) => setTimeout(resolve, 60_000).unref()) : undefined;
    const name = await save(`steps: [{ id: once, tool: steps__act, arguments: { name: a } }]`);
    const { run: id } = await blueprints.call<View>('blueprint_deploy', { name, wait_seconds: 0 });
    await expect.poll(called).toEqual(['act a']);
    expect(await blueprints.call('blueprint_cancel', { run: id, undo: false })).toMatchObject({ state: 'cancelled' });
    server.before = () => {};
    await expect(blueprints.confirmed('blueprint_resume', { run: id })).rejects.toThrow('Nobody knows whether');
    expect(await blueprints.confirmed('blueprint_resume', { run: id, unknown: 'done' })).toMatchObject({
      state: 'succeeded',
    });
    expect(called()).toEqual(['act a']);
  });

  test('of several items only the unknown one is taken as done', async () => {
    server.before = ({ name }) =>
      name === 'a' ? new Promise((resolve) => setTimeout(resolve, 60_000).unref()) : undefined;
    const view = await run(
      `steps: [{ id: all, for_each: [a, b], parallel: 1, timeout: 300ms, tool: steps__act, arguments: { name: "\${item}" } }]`,
    );
    expect(view.state).toBe('unknown');
    server.before = () => {};
    expect(await blueprints.confirmed('blueprint_resume', { run: view.run, unknown: 'done' })).toMatchObject({
      state: 'succeeded',
    });
    expect(called()).toEqual(['act a', 'act b']);
  });

  test('a run can neither deploy nor approve by a tool', async () => {
    const name = await save(
      'steps: [{ id: sly, tool: blueprint_approve, arguments: { run: "${run.id}", approve: true } }]',
    );
    await expect(blueprints.call('blueprint_deploy', { name })).rejects.toThrow('people deploy and decide');
  });
});

describe('a schedule', () => {
  test('deploys when it is due, once for what was missed, and ends when it is cancelled', async () => {
    const name = await save(`schedule: "0 2 * * *"
steps: [{ id: tick, tool: steps__put, arguments: { name: tick } }]`);
    const made = await blueprints.call<{ run: string; state: string; next_at: string }>('blueprint_deploy', {
      name,
      schedule: true,
    });
    expect(made).toMatchObject({ state: 'scheduled' });
    expect(new Date(made.next_at).getHours()).toBe(2);
    // Two nights have passed.
    const { tables } = gateway.runtime.store;
    await tables.change(
      'UPDATE blueprint_schedules SET next_at = ? WHERE id = ?',
      Date.now() - 2 * 86_400_000,
      made.run,
    );
    await expect.poll(called, { timeout: 15_000 }).toEqual(['put tick']);
    const { schedules } = await blueprints.call<{ schedules: { last_run: string; next_at: string }[] }>(
      'blueprint_list_schedules',
    );
    expect(await ended(schedules[0]?.last_run as string)).toMatchObject({ state: 'succeeded', schedule: made.run });
    expect(Date.parse(schedules[0]?.next_at as string)).toBeGreaterThan(Date.now());
    // Another definition than the one that was confirmed is not deployed.
    await blueprints.call('blueprint_save', {
      text: `name: ${name}\nsteps: [{ id: other, tool: steps__put, arguments: { name: other } }]`,
    });
    await tables.change('UPDATE blueprint_schedules SET next_at = ? WHERE id = ?', Date.now() - 1000, made.run);
    await expect
      .poll(() => blueprints.call('blueprint_list_schedules'), { timeout: 15_000 })
      .toMatchObject({ schedules: [{ problem: expect.stringContaining('was changed') }] });
    expect(called()).toEqual(['put tick']);
    await blueprints.call('blueprint_cancel', { run: made.run });
    expect(await blueprints.call('blueprint_list_schedules')).toEqual({ schedules: [] });
    await expect(blueprints.call('blueprint_deploy', { name, schedule: 'soon' })).rejects.toThrow(
      'not a cron expression',
    );
  });
});

test('a schedule that was due when its process died is deployed by the next one, once', async () => {
  const name = await save('steps: [{ id: tick, tool: steps__put, arguments: { name: tick } }]');
  const { run: id } = await blueprints.call<View>('blueprint_deploy', { name, schedule: '0 2 * * *' });
  const runtime = await gateway.runtime.apis.blueprints.open();
  // Due for this test, not for the gateway itself.
  const at = Date.now() + 1e9;
  await gateway.runtime.store.tables.change('UPDATE blueprint_schedules SET next_at = ? WHERE id = ?', at, id);
  const due = async () => (await runtime.schedules.all()).filter(({ nextAt }) => nextAt === at);
  const schedules = { ...runtime.schedules, due };
  const sweep = (deploy = runtime.deploy) => deployDue({ ...runtime, schedules, deploy }, async () => ({}));
  const dying = Promise.withResolvers<void>();
  void sweep(() => (dying.resolve(), new Promise<never>(() => {})));
  await dying.promise;
  await sweep();
  await sweep();
  const { runs } = await blueprints.call<{ runs: View[] }>('blueprint_history', { name });
  expect(runs).toHaveLength(1);
  expect(await ended(runs[0]?.run as string)).toMatchObject({ state: 'succeeded', schedule: id });
  await blueprints.call('blueprint_cancel', { run: id });
});

test('of blueprints that are called for each item, one that fails undoes them all', async () => {
  const inner = await save(`inputs: { name: { type: string } }
steps:
  - { id: make, tool: steps__put, arguments: { name: "\${inputs.name}" }, ${dropped('"${inputs.name}"')} }
  - { id: nap, wait: 300ms }
  - { id: end, tool: steps__act, arguments: { name: "\${inputs.name}-end" }, ${dropped('"${inputs.name}-end"')} }`);
  server.before = ({ tool, name }) => {
    if (tool === 'act' && name === 'b-end') throw new Error('no b');
  };
  const view = await run(`steps:
  - { id: all, for_each: [a, b, c], parallel: 3, blueprint: ${inner}, inputs: { name: "\${item}" } }`);
  expect(view).toMatchObject({ state: 'undone', error: expect.stringContaining('1 of 3 items failed') });
  expect([...server.things.keys()]).toEqual([]);
  const { runs } = await blueprints.call<{ runs: View[] }>('blueprint_history', { name: inner });
  expect(runs.map(({ state }) => state)).toEqual(['undone', 'undone', 'undone']);
});

test('replies stay small: a hundred steps, and inputs of a megabyte', async () => {
  const steps = Array.from(
    { length: 100 },
    (_, n) => `  - { id: s${n}, tool: steps__look, arguments: { name: s${n} } }`,
  );
  const inputs = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`i${n}`, 'x'.repeat(50_000)]));
  const schemas = Object.keys(inputs).map((name) => `${name}: { type: string }`);
  const name = await save(`inputs: { ${schemas.join(', ')} }\nsteps:\n${steps.join('\n')}`);
  const planned = await blueprints.call('blueprint_plan', { name, inputs });
  const { run: id } = await blueprints.call<View>('blueprint_deploy', { name, inputs, wait_seconds: 0 });
  const shown = await ended(id);
  expect(shown).toMatchObject({ state: 'succeeded', progress: { done: 100, total: 100 } });
  for (const reply of [planned, shown, await blueprints.call('blueprint_history', { name })])
    expect(2 * JSON.stringify(reply).length).toBeLessThan(9 * 1024);
});

test('runs are kept for a while after their end; the ids that callers gave them stay taken', async () => {
  const name = await save('steps: [{ id: a, tool: steps__look, arguments: { name: a } }]');
  const deploy = () => blueprints.call<View>('blueprint_deploy', { name, run_id: 'kept' });
  const { run: id } = await deploy();
  const runtime = await gateway.runtime.apis.blueprints.open();
  await prune(runtime, 1);
  expect(await ended(id)).toMatchObject({ state: 'succeeded' });
  await prune(runtime, 1, Date.now() + 2 * 86_400_000);
  await expect(ended(id)).rejects.toThrow('There is no run');
  expect(await gateway.runtime.store.tables.rows('SELECT * FROM blueprint_steps WHERE run = ?', id)).toEqual([]);
  await expect(deploy()).rejects.toThrow('ended as succeeded and is not kept any more');
});

test('a run that is resumed while old ones are deleted is kept, with what it did', async () => {
  server.before = ({ tool }) => {
    if (tool === 'act') throw new Error('not yet');
  };
  const view = await run(`on_failure: keep
steps: [{ id: one, tool: steps__put, arguments: { name: one } }, { id: two, tool: steps__act, arguments: { name: two } }]`);
  const { tables } = gateway.runtime.store;
  const resume = () => blueprints.confirmed('blueprint_resume', { run: view.run, wait_seconds: 0 });
  let resumed: Promise<unknown> | undefined;
  const deleting = createJournal(
    { ...tables, change: async (...given) => (await (resumed ??= resume()), tables.change(...given)) },
    await gateway.runtime.store.settings.secret('blueprints'),
  );
  server.before = () => {};
  await deleting.prune(Date.now() + 1, 1000);
  expect(await ended(view.run)).toMatchObject({ state: 'succeeded' });
  expect(called()).toEqual(['put one', 'act two', 'act two']);
});

test('a step that is tried again has all of its time again', async () => {
  const steps = 'steps: [{ id: go, approval: Now?, timeout: 1s }]';
  const { run: id } = await blueprints.call<View>('blueprint_deploy', {
    name: await save(`on_failure: keep\n${steps}`),
  });
  const begunAt = async () => {
    const [row] = await gateway.runtime.store.tables.rows<{ started_at: number }>(
      'SELECT started_at FROM blueprint_steps WHERE run = ?',
      id,
    );
    return row?.started_at ?? 0;
  };
  const first = await begunAt();
  await expect.poll(() => ended(id), { timeout: 10_000 }).toMatchObject({ state: 'failed' });
  expect(await blueprints.confirmed('blueprint_resume', { run: id })).toMatchObject({ state: 'waiting' });
  expect(await begunAt()).toBeGreaterThan(first);
  await blueprints.call('blueprint_cancel', { run: id, undo: false });
});

test('an event and a decision are noticed however many runs wait before', async () => {
  const { journal } = await gateway.runtime.apis.blueprints.open();
  const { tables } = gateway.runtime.store;
  const waiting = async (yaml: string) => {
    const { run: id } = await blueprints.call<View>('blueprint_deploy', { name: await save(yaml), wait_seconds: 0 });
    await expect.poll(() => blueprints.call('blueprint_status', { run: id })).toMatchObject({ state: 'waiting' });
    return id;
  };
  const like = await waiting('steps: [{ id: go, approval: Now? }]');
  const run = (await journal.get(like)) as Run;
  for (let n = 0; n < 1010; n++) {
    const id = `old-${n}`;
    await journal.create({ ...run, id });
    const event = { step: 'seen', for: 'event', event: 'never.comes', after: 0 } as const;
    const later = { step: 'later', for: 'approval', question: 'Now?' } as const;
    await journal.park(id, 1, 'finish', n % 2 ? event : later, { wakeAt: Date.now() + 1e9 });
    await journal.givenTo(id, 2, '-');
    // It was about an earlier step.
    await journal.decide(id, 'go', undefined, { approved: true, principal: 'local' });
  }
  const seen = await waiting('steps: [{ id: seen, wait: { event: blueprint.deleted } }]');
  // Whoever decided died before the run was woken.
  await journal.decide(like, 'go', undefined, { approved: true, principal: 'local' });
  await tables.change('UPDATE blueprint_runs SET updated_at = updated_at + 60000 WHERE id = ?', like);
  await blueprints.confirmed('blueprint_delete', { name: await save('steps: [{ id: a, wait: 1s }]') });
  await expect.poll(() => ended(seen), { timeout: 15_000 }).toMatchObject({ state: 'succeeded' });
  await expect.poll(() => ended(like), { timeout: 15_000 }).toMatchObject({ state: 'succeeded' });
  await tables.change("DELETE FROM blueprint_runs WHERE id LIKE 'old-%'");
  await tables.change("DELETE FROM blueprint_decisions WHERE run LIKE 'old-%'");
});

test('a run that waits for events of blueprints does not wake itself', async () => {
  const name = await save(
    'steps: [{ id: seen, wait: { event: "blueprint.*", where: "${event.type == \'blueprint.deleted\'}" } }]',
  );
  const { run: id } = await blueprints.call<View>('blueprint_deploy', { name, wait_seconds: 0 });
  await expect.poll(() => blueprints.call<View>('blueprint_status', { run: id })).toMatchObject({ state: 'waiting' });
  const events = async () => (await gateway.stored({ type: 'blueprint.*', limit: 1000 })).events.length;
  // It is looked after every second: its own events must come to an end.
  const more = async () => {
    const before = await events();
    await new Promise((resolve) => setTimeout(resolve, 2200));
    return (await events()) - before;
  };
  await expect.poll(more, { timeout: 15_000 }).toBe(0);
  await blueprints.call('blueprint_cancel', { run: id, undo: false });
});

describe('a process that was asleep for longer than its lease', () => {
  const two = `steps:
  - { id: one, tool: steps__act, arguments: { name: one } }
  - { id: two, tool: steps__act, arguments: { name: two } }`;

  /** A run in the middle of its first step, and what the process knows that takes it over. */
  async function asleep() {
    const { promise, resolve: wakeUp } = Promise.withResolvers<void>();
    server.before = () => promise;
    const { run: id } = await blueprints.call<View>('blueprint_deploy', { name: await save(two), wait_seconds: 0 });
    await expect.poll(called).toEqual(['act one']);
    const { journal } = await gateway.runtime.apis.blueprints.open();
    const [head, [unit]] = await Promise.all([journal.head(id), journal.units(id)]);
    if (!head || !unit) throw new Error('It has not begun.');
    const isIdle = () => gateway.runtime.apis.blueprints.open().then(({ active }) => !active().includes(id));
    return { id, head, unit, journal, wakeUp, isIdle };
  }

  test('does not go on with a run that ended meanwhile', async () => {
    const { id, head, unit, journal, wakeUp, isIdle } = await asleep();
    await journal.finish(unit, { state: 'unknown', error: 'Nobody knows.' });
    expect(await journal.end(id, head.part, 'finish', 'unknown', { error: 'Nobody knows.' })).toBe(true);
    wakeUp();
    await expect.poll(isIdle).toBe(true);
    expect(await ended(id)).toMatchObject({ state: 'unknown', steps: [{ state: 'unknown' }, { state: 'pending' }] });
    expect(called()).toEqual(['act one']);
  });

  test('begins nothing in a run that is being undone, even if it was not told', async () => {
    const { id, journal, wakeUp } = await asleep();
    await journal.aim(id, 'undo');
    wakeUp();
    await expect.poll(() => ended(id)).toMatchObject({ state: 'undone' });
    expect(called()).toEqual(['act one']);
  });

  test('has its step repeated by nobody who saw it running, once it has ended it', async () => {
    const { id, head, unit, journal, wakeUp } = await asleep();
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    server.before = () => promise;
    wakeUp();
    await expect.poll(called).toEqual(['act one', 'act two']);
    const late = { ...unit, arguments: unit.arguments, after: unit.token, state: 'running' as const };
    expect(await journal.begin(late, head)).toBeUndefined();
    expect(await journal.finish(unit, { state: 'unknown' })).toBeUndefined();
    goOn();
    expect(await ended(id)).toMatchObject({ state: 'succeeded' });
  });
});
