import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../../src/auth/keys.ts';
import type { KeyGrant } from '../../../src/store/store.ts';
import { startStepServer, type StepServer } from '../../fixtures/step-server.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { type BlueprintCalls, blueprintCalls } from '../../support/blueprints.ts';
import { connectV2, callTool, startGateway, type TestGateway } from '../harness.ts';

interface View {
  run: string;
  state: string;
  error?: string;
  waits?: { for: string; reason?: string };
  steps: { step: string; state: string; note?: string }[];
}

interface Answer {
  isError?: boolean;
  content: [{ text: string }];
  structuredContent: object;
  _meta: { 'sluice/error': { confirm: string } };
}

let server: StepServer;
let gateway: TestGateway;
beforeAll(async () => {
  server = await startStepServer();
  gateway = await startGateway({
    auth: { mode: 'keys' },
    // The arguments of calls are recorded, too.
    events: { arguments: true },
    mcpServers: {
      steps: { ...server.entry, confirm: ['act'] },
      guarded: { ...server.entry, confirm: 'human' },
    },
    gateway: { routes: [{ tool: 'steps__*', when: { name: 'precious' }, to: 'guarded' }] },
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.calls.length = 0;
  server.before = () => {};
});

let made = 0;
async function caller(scopes: string[], more: Partial<KeyGrant> = {}) {
  const name = `key-${++made}`;
  const { key, id } = await createKey(gateway.runtime.store.keys, {
    name,
    scopes,
    createdBy: 'test',
    createdAt: new Date().toISOString(),
    ...more,
  });
  const headers = { authorization: `Bearer ${key}` };
  return { id, name, headers, calls: await blueprintCalls(gateway, headers) };
}

async function save(by: BlueprintCalls, yaml: string): Promise<string> {
  const name = `rights-${++made}`;
  await by.call('blueprint_save', { text: `name: ${name}\n${yaml}` });
  return name;
}

const status = (by: BlueprintCalls, run: string, wait_seconds = 20) =>
  by.call<View>('blueprint_status', { run, wait_seconds });

describe('rights', () => {
  test('a deployer without the right to a step is told at once, and nothing is done', async () => {
    const admin = await caller(['admin']);
    const name = await save(admin.calls, 'steps: [{ id: a, tool: steps__put, arguments: { name: a } }]');
    const poor = await caller(['blueprint:read', 'blueprint:execute']);
    await expect(poor.calls.call('blueprint_deploy', { name })).rejects.toThrow(/may not deploy.*step a.*steps:/s);
    expect(server.calls).toEqual([]);
  });

  test('rights that are lost leave the run waiting, until somebody who has them resumes it as himself', async () => {
    const owner = await caller(['blueprint:read', 'blueprint:write', 'blueprint:execute', 'tools:execute']);
    const name = await save(
      owner.calls,
      `steps:
  - { id: one, tool: steps__put, arguments: { name: one } }
  - { id: nap, wait: 1s }
  - { id: two, tool: steps__put, arguments: { name: two } }`,
    );
    const { run } = await owner.calls.call<View>('blueprint_deploy', { name, wait_seconds: 0 });
    await expect.poll(() => server.calls.length).toBe(1);
    await revokeKey(gateway.runtime.store.keys, owner.id, new Date());
    const other = await caller(['admin']);
    const waiting = await status(other.calls, run);
    expect(waiting).toMatchObject({
      state: 'waiting',
      waits: { for: 'rights', reason: expect.stringContaining('was revoked') },
    });
    expect(server.calls).toHaveLength(1);
    expect(await other.calls.confirmed('blueprint_resume', { run })).toMatchObject({ state: 'succeeded' });
    expect(server.calls.map(({ name: thing }) => thing)).toEqual(['one', 'two']);
  });

  test('the key that deployed cannot approve; another one with blueprint:approve can, and tools:execute does not imply it', async () => {
    const owner = await caller(['admin']);
    const name = await save(owner.calls, 'steps: [{ id: go, approval: Now? }]');
    const { run } = await owner.calls.call<View>('blueprint_deploy', { name });
    await expect(owner.calls.call('blueprint_approve', { run, approve: true })).rejects.toThrow('cannot approve');
    const other = await caller(['tools:execute']);
    await expect(other.calls.call('blueprint_approve', { run, approve: true })).rejects.toThrow('blueprint:approve');
    const approver = await caller(['blueprint:approve', 'blueprint:read']);
    await approver.calls.call('blueprint_approve', { run, approve: true });
    const view = await status(owner.calls, run);
    expect(view).toMatchObject({ state: 'succeeded' });
    expect(view.steps[0]?.note).toBe(`Approved by ${approver.name}`);
  });

  test('only who deployed a run sees what its steps returned; a key for some tools sees its own runs only', async () => {
    const owner = await caller(['admin']);
    const name = await save(owner.calls, 'steps: [{ id: a, tool: steps__look, arguments: { name: a } }]');
    const { run } = await owner.calls.call<View>('blueprint_deploy', { name });
    const reader = await caller(['blueprint:read']);
    expect(await status(reader.calls, run)).toMatchObject({ state: 'succeeded' });
    await expect(reader.calls.call('blueprint_status', { run, step: 'a' })).rejects.toThrow('Only who deployed');
    expect(await owner.calls.call('blueprint_status', { run, step: 'a' })).toMatchObject({
      result: expect.any(String),
    });
    const limited = await caller(['tools:execute'], { tools: ['blueprint_*', 'steps__*'] });
    await expect(status(limited.calls, run)).rejects.toThrow('There is no run');
    expect(await limited.calls.call('blueprint_history', { name })).toEqual({ runs: [] });
    const own = await limited.calls.confirmed<View>('blueprint_deploy', { name });
    expect(await limited.calls.call('blueprint_history', { name })).toMatchObject({ runs: [{ run: own.run }] });
  });
});

test('cancelling the run of somebody else undoes it only for who may undo', async () => {
  const owner = await caller(['admin']);
  const name = await save(
    owner.calls,
    `steps:
  - { id: one, tool: steps__put, arguments: { name: one }, undo: { tool: steps__drop, arguments: { name: one } } }
  - { id: go, approval: Go? }`,
  );
  const { run } = await owner.calls.call<View>('blueprint_deploy', { name });
  const other = await caller(['blueprint:read', 'blueprint:execute']);
  await expect(other.calls.call('blueprint_cancel', { run, undo: true })).rejects.toThrow('blueprint:write');
  expect(await status(owner.calls, run, 0)).toMatchObject({ state: 'waiting' });
  expect(await other.calls.call('blueprint_cancel', { run, undo: false })).toMatchObject({ state: 'cancelled' });
  expect(server.calls.map(({ tool }) => tool)).toEqual(['put']);
});

describe('resuming the run of somebody else', () => {
  test('needs the rights for its steps, because what they returned can be read then', async () => {
    const owner = await caller(['admin']);
    const name = await save(
      owner.calls,
      `on_failure: keep
steps:
  - { id: one, tool: steps__look, arguments: { name: one, value: confidential } }
  - { id: two, tool: steps__put, arguments: { name: two } }`,
    );
    server.before = ({ name: thing }) => {
      if (thing === 'two') throw new Error('not now');
    };
    const { run } = await owner.calls.call<View>('blueprint_deploy', { name });
    expect(await status(owner.calls, run)).toMatchObject({ state: 'failed' });
    const poor = await caller(['blueprint:read', 'blueprint:execute']);
    await expect(poor.calls.call('blueprint_resume', { run })).rejects.toThrow(/may not resume.*step one.*steps:read/s);
    await expect(poor.calls.call('blueprint_status', { run, step: 'one' })).rejects.toThrow('Only who deployed');
    expect(await status(owner.calls, run)).toMatchObject({ state: 'failed' });
    server.before = () => {};
    const able = await caller(['blueprint:read', 'blueprint:execute', 'steps:read', 'steps:write']);
    expect(await able.calls.confirmed('blueprint_resume', { run })).toMatchObject({ state: 'succeeded' });
  });
});

describe('confirmation', () => {
  const yaml = `inputs: { n: { type: integer } }
steps: [{ id: a, tool: steps__act, arguments: { name: "x\${inputs.n}" } }]`;

  test('is asked once, for this definition and these inputs', async () => {
    const owner = await caller(['admin']);
    const name = await save(owner.calls, yaml);
    expect(await owner.calls.call('blueprint_plan', { name, inputs: { n: 1 } })).toMatchObject({
      confirmations: ['a'],
    });
    await using client = await connectV2(gateway, { headers: owner.headers, capabilities: {} });
    const deploy = async (args: object) =>
      (await callTool(client, 'blueprint_deploy', { name, ...args })) as unknown as Answer;
    const first = await deploy({ inputs: { n: 1 } });
    const token = first._meta['sluice/error'].confirm;
    expect(first.content[0].text).toContain('a (steps__act)');
    expect(server.calls).toEqual([]);
    // Other inputs: the token does not hold, and is used up.
    expect((await deploy({ inputs: { n: 2 }, confirm: token })).isError).toBe(true);
    const second = (await deploy({ inputs: { n: 1 } }))._meta['sluice/error'].confirm;
    await owner.calls.call('blueprint_save', { text: `name: ${name}\ndescription: changed\n${yaml}` });
    expect((await deploy({ inputs: { n: 1 }, confirm: second })).isError).toBe(true);
    expect(server.calls).toEqual([]);
    const third = (await deploy({ inputs: { n: 1 } }))._meta['sluice/error'].confirm;
    expect((await deploy({ inputs: { n: 1 }, confirm: third })).structuredContent).toMatchObject({
      state: 'succeeded',
    });
    expect(server.calls).toHaveLength(1);
  });

  test('by a person makes the step an approval', async () => {
    const owner = await caller(['admin']);
    const name = await save(
      owner.calls,
      'steps: [{ id: a, confirm: human, tool: steps__put, arguments: { name: a } }]',
    );
    const { run } = await owner.calls.call<View>('blueprint_deploy', { name });
    expect(await status(owner.calls, run, 0)).toMatchObject({ state: 'waiting', waits: { for: 'approval' } });
    expect(server.calls).toEqual([]);
    const approver = await caller(['blueprint:approve', 'blueprint:read']);
    await approver.calls.call('blueprint_approve', { run, step: 'a', approve: true });
    expect(await status(owner.calls, run)).toMatchObject({ state: 'succeeded' });
  });
});

describe('confirmation is not got around', () => {
  const yaml = 'steps: [{ id: a, tool: steps__act, arguments: { name: a } }]';

  test('by a definition that changes while the user is asked', async () => {
    const owner = await caller(['admin']);
    const name = await save(owner.calls, yaml);
    await using client = await connectV2(gateway, {
      headers: owner.headers,
      answer: async () => {
        await owner.calls.call('blueprint_save', {
          text: `name: ${name}\nsteps: [{ id: a, tool: steps__act, arguments: { name: other } }]`,
        });
        return { action: 'accept', content: {} };
      },
    });
    const answer = (await callTool(client, 'blueprint_deploy', { name })) as unknown as Answer;
    expect([answer.isError, answer.content[0].text]).toEqual([true, expect.stringContaining('changed')]);
    expect(server.calls).toEqual([]);
  });

  test('by a schedule with the id of a run that was confirmed', async () => {
    const owner = await caller(['admin']);
    const name = await save(owner.calls, yaml);
    await owner.calls.confirmed('blueprint_deploy', { name, run_id: 'known' });
    await expect(
      owner.calls.call('blueprint_deploy', { name, run_id: 'known', schedule: '0 2 * * *' }),
    ).rejects.toThrow('needs confirmation');
    expect(await owner.calls.call('blueprint_list_schedules')).toEqual({ schedules: [] });
  });

  test('by a step that calls a blueprint', async () => {
    const owner = await caller(['admin']);
    const inner = await save(owner.calls, 'steps: [{ id: a, tool: steps__put, arguments: { name: a } }]');
    const name = await save(owner.calls, `steps: [{ id: call, confirm: human, blueprint: ${inner} }]`);
    const { run } = await owner.calls.call<View>('blueprint_deploy', { name });
    expect(await status(owner.calls, run, 0)).toMatchObject({ state: 'waiting', waits: { for: 'approval' } });
    expect(server.calls).toEqual([]);
    const approver = await caller(['blueprint:approve', 'blueprint:read']);
    await approver.calls.call('blueprint_approve', { run, step: 'call', approve: true });
    expect(await status(owner.calls, run)).toMatchObject({ state: 'succeeded' });
  });

  test('by a route to a server whose tools a person confirms', async () => {
    const owner = await caller(['admin']);
    const name = await save(
      owner.calls,
      'inputs: { n: { type: string } }\nsteps: [{ id: a, tool: steps__put, arguments: { name: "${inputs.n}" } }]',
    );
    const { run } = await owner.calls.call<View>('blueprint_deploy', { name, inputs: { n: 'precious' } });
    expect(await status(owner.calls, run, 0)).toMatchObject({ state: 'waiting', waits: { for: 'approval' } });
    expect(server.calls).toEqual([]);
    const approver = await caller(['blueprint:approve', 'blueprint:read']);
    await approver.calls.call('blueprint_approve', { run, approve: true });
    expect(await status(owner.calls, run)).toMatchObject({ state: 'succeeded' });
  });
});

test('the same run_id is the same run, even if its definition is gone', async () => {
  const owner = await caller(['admin']);
  const name = await save(owner.calls, 'steps: [{ id: a, tool: steps__put, arguments: { name: a } }]');
  const first = await owner.calls.call<View>('blueprint_deploy', { name, run_id: 'kept' });
  await owner.calls.confirmed('blueprint_delete', { name });
  expect(await owner.calls.call('blueprint_deploy', { name, run_id: 'kept' })).toMatchObject({ run: first.run });
});

describe('secrets', () => {
  test('in parts of inputs, short ones, many of them, and in runs of called blueprints are masked', async () => {
    const owner = await caller(['admin']);
    const many = Array.from({ length: 300 }, (_, index) => `number-${index}-of-many`);
    const inner = await save(
      owner.calls,
      'inputs: { word: { type: string } }\nsteps: [{ id: go, approval: "Use ${inputs.word}?" }]',
    );
    const name = await save(
      owner.calls,
      `inputs:
  database: { type: object, properties: { host: { type: string }, password: { type: string, secret: true } } }
  users: { type: array, items: { type: object, properties: { key: { type: string, format: password } } } }
  pin: { type: string, secret: true }
  many: { type: array, items: { type: string }, secret: true }
  pem: { type: string, secret: true }
steps:
  - { id: say, tool: steps__put, arguments: { name: a, value: "\${json(inputs)}" } }
  - { id: call, blueprint: ${inner}, inputs: { word: "\${inputs.database.password} \${inputs.pin}" } }
outputs: { all: "\${inputs.database}", key: "\${inputs.users[0].key}", last: "\${inputs.many[299]}", pem: "\${json({'a': inputs.pem})}" }`,
    );
    const inputs = {
      database: { host: 'db.example', password: 'nested-secret-text' },
      users: [{ key: 'secret-of-a-user' }],
      pin: 'p!n7',
      many,
      pem: 'a "first" line\nand-a-second-one',
    };
    const secrets = ['nested-secret-text', 'secret-of-a-user', 'p!n7', 'number-299-of-many', 'and-a-second-one'];
    const answers: unknown[] = [await owner.calls.call('blueprint_plan', { name, inputs })];
    const { run } = await owner.calls.call<View>('blueprint_deploy', { name, inputs, wait_seconds: 0 });
    const child = `${run}.call`;
    await expect
      .poll(() => status(owner.calls, child, 0).catch(() => undefined))
      .toMatchObject({ state: 'waiting', waits: { for: 'approval' } });
    answers.push(await status(owner.calls, child, 0), await status(owner.calls, run, 0));
    const approver = await caller(['blueprint:approve', 'blueprint:read']);
    await approver.calls.call('blueprint_approve', { run: child, approve: true });
    const ended = await status(owner.calls, run);
    expect(ended).toMatchObject({ state: 'succeeded', inputs: { database: { host: 'db.example' } } });
    answers.push(ended, await owner.calls.call('blueprint_status', { run, step: 'say' }));
    for (const secret of secrets) expect(JSON.stringify(answers), secret).not.toContain(secret);
    expect(String(server.calls[0]?.args.value)).toContain('p!n7');
    const { events } = await gateway.stored({ limit: 1000 });
    for (const secret of secrets) expect(JSON.stringify(events), secret).not.toContain(secret);
    const tooMany = { ...inputs, many: Array.from({ length: 2000 }, (_, index) => `secret ${index}`) };
    await expect(owner.calls.call('blueprint_deploy', { name, inputs: tooMany })).rejects.toThrow('can be masked');
  });

  test('in inputs are in no file, event, log or answer', async () => {
    const owner = await caller(['admin']);
    const secret = 'correct-horse-battery-staple';
    const name = await save(
      owner.calls,
      `inputs: { password: { type: string, secret: true } }
steps:
  - { id: a, tool: steps__put, arguments: { name: a, value: "\${inputs.password}" } }
  - { id: b, tool: steps__put, arguments: { name: "\${inputs.password}" } }
outputs: { echoed: "\${steps.a.result.value}" }`,
    );
    server.before = ({ name: thing }) => {
      if (thing === secret) throw new Error(`cannot make ${thing}`);
    };
    const inputs = { password: secret };
    const answers = [
      await owner.calls.call('blueprint_plan', { name, inputs }),
      await owner.calls.call<View>('blueprint_deploy', { name, inputs }),
    ];
    const { run } = answers[1] as unknown as View;
    answers.push(
      await status(owner.calls, run),
      await owner.calls.call('blueprint_status', { run, step: 'a' }),
      await owner.calls.call('blueprint_history', { name }),
    );
    expect(server.calls[0]?.args.value).toBe(secret);
    expect(JSON.stringify(answers)).not.toContain(secret);
    const { events } = await gateway.stored({ limit: 1000 });
    expect(JSON.stringify(events)).not.toContain(secret);
    for (const file of ['sluice.db', 'sluice.db-wal', 'runs.db', 'runs.db-wal']) {
      const bytes = await readFile(join(gateway.home, file)).catch(() => Buffer.alloc(0));
      expect(bytes.includes(secret), file).toBe(false);
    }
  });
});

test('a long error is masked before it is cut, so that no half of a secret remains', async () => {
  await using receiver = await startReceiver();
  await using open = await startGateway({ mcpServers: { steps: server.entry } });
  await using calls = await blueprintCalls(open);
  const secret = `begin-of-secret${'-and-more'.repeat(50)}`;
  const inputs = 'inputs: { key: { type: string, secret: true } }\non_failure: keep';
  await mkdir(join(open.home, 'blueprints'));
  await writeFile(
    join(open.home, 'blueprints', 'post.yaml'),
    `name: post\n${inputs}\nsteps: [{ id: a, webhook: "${receiver.url}", body: { key: "\${inputs.key}" } }]`,
  );
  await calls.call('blueprint_save', {
    text: `name: put\n${inputs}\nsteps: [{ id: a, tool: steps__put, arguments: { name: "\${inputs.key}" } }]`,
  });
  receiver.behave = ({ body }) => ({ status: 400, body: `refused ${body}` });
  server.before = ({ name }) => {
    throw new Error(`${'x'.repeat(1900)} ${name}`);
  };
  for (const name of ['post', 'put']) {
    const { run } = await calls.call<View>('blueprint_deploy', { name, inputs: { key: secret } });
    expect(await status(calls, run)).toMatchObject({ state: 'failed' });
  }
  const kept = await open.runtime.store.tables.rows(
    'SELECT error FROM blueprint_steps UNION SELECT error FROM blueprint_runs',
  );
  expect(JSON.stringify(kept)).toContain('refused');
  expect(JSON.stringify(kept)).not.toContain('begin-of-secret');
});

test('an approval is asked in the client where it can ask its user', async () => {
  await using open = await startGateway({ mcpServers: { steps: server.entry } });
  const asked: unknown[] = [];
  await using client = await connectV2(open, {
    answer: (method, params) => {
      asked.push([method, (params as { message: string }).message]);
      return { action: 'accept', content: { approve: true, comment: 'go ahead' } };
    },
  });
  await callTool(client, 'blueprint_save', { text: 'name: asking\nsteps: [{ id: go, approval: "Is it time?" }]' });
  const result = (await callTool(client, 'blueprint_deploy', { name: 'asking' })) as unknown as Answer;
  expect(result.structuredContent).toMatchObject({ state: 'succeeded' });
  expect(asked).toEqual([['elicitation/create', expect.stringContaining('Is it time?')]]);
});

test('cancelling stops the run first, and then asks whether to undo', async () => {
  await using open = await startGateway({ mcpServers: { steps: server.entry } });
  let stateWhenAsked: string | undefined;
  await using other = await blueprintCalls(open);
  await using client = await connectV2(open, {
    answer: async () => {
      const { runs } = await other.call<{ runs: View[] }>('blueprint_history', { limit: 1 });
      stateWhenAsked = runs[0]?.state;
      return { action: 'accept', content: { undo: true } };
    },
  });
  server.before = ({ tool, name }) =>
    tool === 'put' && name === 'two' ? new Promise((resolve) => setTimeout(resolve, 60_000).unref()) : undefined;
  const text = `name: stoppable
steps:
  - { id: one, tool: steps__put, arguments: { name: one }, undo: { tool: steps__drop, arguments: { name: one } } }
  - { id: two, tool: steps__put, arguments: { name: two } }`;
  await other.call('blueprint_save', { text });
  const { run } = await other.call<View>('blueprint_deploy', { name: 'stoppable', wait_seconds: 0 });
  await expect.poll(() => server.calls.length).toBe(2);
  const cancelled = (await callTool(client, 'blueprint_cancel', { run })) as unknown as Answer;
  expect(cancelled.structuredContent).toMatchObject({ state: 'undone' });
  expect(stateWhenAsked).toBe('cancelled');
  expect(server.calls.map(({ tool, name }) => `${tool} ${name}`)).toEqual(['put one', 'put two', 'drop one']);
});

test('a run that was begun before waits while the gateway is read-only', async () => {
  await using receiver = await startReceiver();
  const config = { mcpServers: { steps: server.entry } };
  await using open = await startGateway(config);
  await mkdir(join(open.home, 'blueprints'));
  const text = (name: string, step: string) =>
    `name: ${name}\nsteps:\n  - { id: nap, wait: 1s }\n  - { id: a, ${step} }`;
  await writeFile(join(open.home, 'blueprints', 'post.yaml'), text('post', `webhook: "${receiver.url}", body: {}`));
  await writeFile(join(open.home, 'blueprints', 'put.yaml'), text('put', 'tool: steps__put, arguments: { name: a }'));
  await using calls = await blueprintCalls(open);
  const runs: string[] = [];
  for (const name of ['post', 'put'])
    runs.push((await calls.call<View>('blueprint_deploy', { name, wait_seconds: 0 })).run);
  await open.reload({ ...config, gateway: { readOnly: true } });
  for (const run of runs)
    expect(await status(calls, run)).toMatchObject({
      state: 'waiting',
      waits: { for: 'rights', reason: expect.stringContaining('read-only') },
    });
  expect([receiver.requests, server.calls]).toEqual([[], []]);
  await open.reload(config);
  for (const run of runs) expect(await calls.call('blueprint_resume', { run })).toMatchObject({ state: 'succeeded' });
});

test('a tool that was not there when the run was deployed was not confirmed, so a person has to approve it', async () => {
  const config = { mcpServers: {} };
  await using open = await startGateway(config);
  await using calls = await blueprintCalls(open);
  const text = `name: later
wants: [steps]
steps:
  - { id: wake, approval: Ready? }
  - { id: a, when: "\${'steps' in services}", tool: steps__act, arguments: { name: a } }`;
  await calls.call('blueprint_save', { text });
  await calls.call('blueprint_save', { text: 'name: outer\nsteps: [{ id: call, blueprint: later }]' });
  const { run } = await calls.call<View>('blueprint_deploy', { name: 'outer', wait_seconds: 0 });
  const child = `${run}.call`;
  const waits = async () => (await status(calls, child, 1)).waits;
  await expect.poll(waits).toMatchObject({ for: 'approval', step: 'wake' });
  await open.reload({ mcpServers: { steps: { ...server.entry, confirm: ['act'] } } });
  await expect.poll(() => open.runtime.apis.gateway.registry.find('steps__act')).toBeDefined();
  await calls.call('blueprint_approve', { run: child, approve: true });
  await expect.poll(waits).toMatchObject({ for: 'approval', step: 'a' });
  expect(server.calls).toEqual([]);
  await calls.call('blueprint_approve', { run: child, approve: true });
  expect(await status(calls, run)).toMatchObject({ state: 'succeeded' });
});

test('an answer that comes after somebody else has decided is no failure', async () => {
  await using open = await startGateway({ mcpServers: { steps: server.entry } });
  await using other = await blueprintCalls(open);
  await using client = await connectV2(open, {
    answer: async () => {
      const { runs } = await other.call<{ runs: View[] }>('blueprint_history', { limit: 1 });
      const run = String(runs[0]?.run);
      await other.call('blueprint_approve', { run, approve: true });
      await status(other, run);
      return { action: 'accept', content: { approve: false } };
    },
  });
  await other.call('blueprint_save', { text: 'name: both\nsteps: [{ id: go, approval: Go? }]' });
  const result = (await callTool(client, 'blueprint_deploy', { name: 'both' })) as unknown as Answer;
  expect(result.structuredContent).toMatchObject({ state: 'succeeded' });
});

test('a workflow needs the rights to find it and to read its end, which is told at once', async () => {
  await using with8 = await startGateway({
    auth: { mode: 'keys' },
    n8n: { default: { url: 'http://127.0.0.1:9', apiKey: 'none' } },
  });
  const keyed = async (...scopes: string[]) => {
    const grant = { name: scopes.join(), scopes, createdBy: 'test', createdAt: new Date().toISOString() };
    const { key } = await createKey(with8.runtime.store.keys, grant);
    return blueprintCalls(with8, { authorization: `Bearer ${key}` });
  };
  await using owner = await keyed('admin');
  await owner.call('blueprint_save', { text: 'name: flow\nsteps: [{ id: a, workflow: Any }]' });
  await using poor = await keyed('blueprint:read', 'blueprint:execute', 'n8n:execute');
  await expect(poor.call('blueprint_plan', { name: 'flow' })).rejects.toThrow(/may not deploy.*n8n:read/s);
  await using able = await keyed('blueprint:read', 'blueprint:execute', 'n8n:execute', 'n8n:read');
  expect(await able.call('blueprint_plan', { name: 'flow' })).toMatchObject({ steps: [{ step: 'a' }] });
});

test('an undo that a person refused is asked about again when somebody tries again', async () => {
  const owner = await caller(['admin']);
  const approver = await caller(['blueprint:approve', 'blueprint:read']);
  const name = await save(
    owner.calls,
    'steps: [{ id: a, tool: steps__put, arguments: { name: a }, undo: { tool: guarded__drop, arguments: { name: a } } }]',
  );
  const { run } = await owner.calls.call<View>('blueprint_deploy', { name });
  const undo = async (approve: boolean) => {
    await owner.calls.confirmed('blueprint_undo', { run });
    expect(await status(owner.calls, run, 5)).toMatchObject({ state: 'waiting', waits: { for: 'approval' } });
    await approver.calls.call('blueprint_approve', { run, approve });
    return (await status(owner.calls, run)).state;
  };
  expect(await undo(false)).toBe('failed');
  expect(await undo(true)).toBe('undone');
  expect(server.calls.map(({ tool }) => tool)).toEqual(['put', 'drop']);
});

test('an undo that failed in a called blueprint is tried again with the run that called it', async () => {
  const owner = await caller(['admin']);
  const inner = await save(
    owner.calls,
    'steps: [{ id: a, tool: steps__put, arguments: { name: a }, undo: { tool: steps__drop, arguments: { name: a } } }]',
  );
  const name = await save(owner.calls, `steps: [{ id: call, blueprint: ${inner} }]`);
  const { run } = await owner.calls.call<View>('blueprint_deploy', { name });
  server.before = ({ tool }) => {
    if (tool === 'drop') throw new Error('not now');
  };
  expect(await owner.calls.confirmed('blueprint_undo', { run })).toMatchObject({ state: 'failed' });
  server.before = () => {};
  expect(await owner.calls.confirmed('blueprint_undo', { run })).toMatchObject({ state: 'undone' });
  expect(server.calls.map(({ tool }) => tool)).toEqual(['put', 'drop', 'drop']);
});
