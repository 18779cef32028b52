import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startStepServer, type StepServer } from '../fixtures/step-server.ts';
import { noTerminal, onTerminal } from '../support/pseudo-terminal.ts';
import { createPlace, type Place, type RunOptions, type Started } from '../support/command-line.ts';

type Json = Record<string, unknown>;

let server: StepServer;
let place: Place;
let serving: Started & AsyncDisposable;

const hello = `name: hello
description: Makes two things
inputs:
  name: { type: string }
  count: { type: integer, default: 1 }
  tags: { type: array, items: { type: string }, default: [] }
  token: { type: string, secret: true, default: "" }
steps:
  - { id: first, tool: steps__put, arguments: { name: "\${inputs.name}", value: "\${inputs}" }, undo: { tool: steps__drop, arguments: { name: "\${inputs.name}" } } }
  - { id: second, tool: steps__look, arguments: { name: "\${inputs.name}" } }
outputs: { made: "\${steps.second.result.name}" }
`;

const files: Record<string, string> = {
  hello,
  careful: 'name: careful\nsteps:\n  - { id: act, tool: steps__act, arguments: { name: danger } }\n',
  asks: 'name: asks\nsteps:\n  - { id: go, approval: Go? }\n  - { id: after, tool: steps__put, arguments: { name: after } }\n',
  fails: 'name: fails\non_failure: keep\nsteps:\n  - { id: bad, tool: steps__put, arguments: { name: bad } }\n',
};

beforeAll(async () => {
  server = await startStepServer();
  place = await createPlace({ mcpServers: { steps: { ...server.entry, confirm: ['act'] } } });
  await mkdir(join(place.project, 'blueprints'));
  for (const [name, text] of Object.entries(files))
    await writeFile(join(place.project, 'blueprints', `${name}.yaml`), text);
  serving = await place.serve();
});
afterAll(async () => {
  await serving[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.calls.length = 0;
  server.before = () => {};
});

const sluice = (args: string[], options?: RunOptions) => place.run(['blueprint', ...args], options);
const json = async <T = Json>(...args: string[]): Promise<T> =>
  JSON.parse((await sluice([...args, '--json'])).stdout) as T;
const deployed = async (...args: string[]) => String((await json('deploy', ...args)).run);

test('from a file to a run and back', async () => {
  expect(await sluice(['validate', 'blueprints/hello.yaml', 'hello'])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('2 blueprints checked'),
  });
  const list = await sluice(['list', 'two']);
  expect(list.stdout).toMatch(
    /^name +from +steps .*\nhello +file +2 +name, count\?, tags\?, token\? +Makes two things\n/,
  );
  expect((await sluice(['show', 'hello'])).stdout).toBe(hello);
  const plan = await sluice(['plan', 'hello', '--input', 'name=thing']);
  expect(plan).toMatchObject({ code: 0, stdout: expect.stringMatching(/first +tool .*yes .*steps__put.*"thing"/) });
  const deploy = await sluice(['deploy', 'hello', '--input', 'name=thing']);
  expect(deploy).toMatchObject({ code: 0, stdout: expect.stringContaining('made: thing') });
  expect(deploy.stdout).toMatch(/^hello-\w+: succeeded, 2 of 2 steps/);
  const [run = ''] = deploy.stdout.split(':');
  expect(deploy.stderr).toContain(`sluice blueprint undo ${run}`);
  const status = await sluice(['status', run, '--step', 'second']);
  expect(status.stdout).toContain('result: {"name":"thing"');
  expect((await sluice(['history', '--name', 'hello'])).stdout).toContain(run);
  const refused = await sluice(['undo', run]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Add --yes') });
  expect(server.things.has('thing')).toBe(true);
  const undone = await sluice(['undo', run, '--yes']);
  expect(undone).toMatchObject({ code: 0, stdout: expect.stringMatching(/first +undone/) });
  expect(server.things.has('thing')).toBe(false);
});

test('inputs come from options, a file or stdin, with the types that they have', async () => {
  await writeFile(join(place.project, 'inputs.yaml'), 'name: from-file\ncount: 2\ntoken: hidden-token\n');
  await deployed('hello', '--inputs', 'inputs.yaml', '--input', 'count=7', '--input', 'tags=a,b');
  const value = { name: 'from-file', count: 7, tags: ['a', 'b'], token: 'hidden-token' };
  expect(server.calls[0]?.args.value).toEqual(value);
  const piped = await sluice(['deploy', 'hello', '--inputs', '-', '--json'], {
    input: '{"name": "1", "tags": ["x,y"]}',
  });
  expect(piped).toMatchObject({ code: 0, stdout: expect.not.stringContaining('hidden-token') });
  expect(server.calls[2]?.args.value).toMatchObject({ name: '1', tags: ['x,y'] });
});

test('a run_id is the same run', async () => {
  const one = await deployed('hello', '--input', 'name=once', '--run-id', 'mine');
  expect(await deployed('hello', '--input', 'name=once', '--run-id', 'mine')).toBe(one);
  expect(server.calls).toHaveLength(2);
  expect((await json('status', 'mine')).run).toBe(one);
});

describe('confirmation', () => {
  test('nobody can answer without a terminal, so nothing is done', async () => {
    const { code, stderr } = await sluice(['deploy', 'careful']);
    expect([code, server.calls]).toEqual([1, []]);
    expect(stderr).toContain('act (steps__act)');
    expect(stderr).toContain('Add --yes to allow it');
  });

  test('--yes answers for the person', async () => {
    expect(await sluice(['deploy', 'careful', '--yes'])).toMatchObject({ code: 0 });
    expect(server.calls).toHaveLength(1);
  });
});

describe('a run that waits', () => {
  test('is approved by a command, while another one follows it', async () => {
    const run = await deployed('asks', '--no-wait');
    await expect.poll(async () => (await json('status', run)).state).toBe('waiting');
    const shown = await sluice(['status', run]);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('a person to decide about go') });
    expect(shown.stderr).toContain(`sluice blueprint approve ${run} go`);
    const following = place.start(['blueprint', 'status', run, '--follow']);
    await following.printed('waits for approval');
    expect(await sluice(['approve', run, 'go', '--comment', 'fine'])).toMatchObject({ code: 0 });
    const followed = await following.finished;
    expect(followed).toMatchObject({ code: 0, stdout: expect.stringContaining(': fine') });
    expect(await sluice(['approve', run])).toMatchObject({ code: 1, stderr: expect.stringContaining('succeeded') });
  });

  test('is a failure for who waits for its end; refusing and cancelling end it', async () => {
    const one = await sluice(['deploy', 'asks', '--wait', '30s', '--json']);
    expect(one.code).toBe(1);
    const { run } = JSON.parse(one.stdout) as { run: string };
    expect(await sluice(['approve', run, '--refuse'])).toMatchObject({ code: 0 });
    expect(await sluice(['status', run, '--wait', '30s'])).toMatchObject({ code: 1 });
    const two = await deployed('asks', '--no-wait');
    expect(await sluice(['cancel', two, '--keep'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('cancelled'),
    });
  });

  test('Ctrl-C stops watching, not the run', async () => {
    const run = await deployed('asks', '--no-wait');
    const following = place.start(['blueprint', 'status', run, '--follow']);
    await following.printed('waits for approval');
    following.child.kill('SIGINT');
    expect(await following.finished).toMatchObject({ code: 1, stderr: expect.stringContaining('not cancelled') });
    expect((await json('status', run)).state).toBe('waiting');
  });
});

test('a failed run says why, and is resumed', async () => {
  server.before = () => {
    throw new Error('The thing is broken.');
  };
  const failed = await sluice(['deploy', 'fails']);
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringMatching(/bad +failed .*The thing is broken\./) });
  const [run = ''] = failed.stdout.split(':');
  expect(failed.stderr).toContain(`sluice blueprint resume ${run}`);
  server.before = () => {};
  expect(await sluice(['resume', run])).toMatchObject({ code: 0, stdout: expect.stringContaining('succeeded') });
});

test('schedules are made, listed and ended', async () => {
  const { schedule } = await json('deploy', 'hello', '--input', 'name=n', '--schedule', '0 2 * * *');
  expect((await sluice(['schedules'])).stdout).toMatch(
    new RegExp(`${String(schedule)} +hello +0 2 \\* \\* \\* +\\d{4}-`),
  );
  expect(await sluice(['cancel', String(schedule)])).toMatchObject({ code: 0 });
  expect((await sluice(['schedules'])).stdout).toBe('');
  expect(await sluice(['deploy', 'fails', '--schedule-as-defined'])).toMatchObject({ code: 1 });
});

test('saved from stdin, found, and deleted', async () => {
  const input = 'name: saved\nsteps:\n  - { id: look, tool: steps__look, arguments: { name: x } }\n';
  expect(await sluice(['save', '-'], { input })).toMatchObject({ code: 0 });
  expect((await json<Json[]>('list', 'saved')).map(({ name }) => name)).toEqual(['saved']);
  expect(await sluice(['delete', 'saved'])).toMatchObject({ code: 1 });
  expect(await sluice(['delete', 'saved', '--yes'])).toMatchObject({ code: 0 });
  expect(await json<Json[]>('list', 'saved')).toEqual([]);
});

test('findings have their line and their fix', async () => {
  await writeFile(join(place.project, 'wrong.yaml'), 'name: wrong\nsteps:\n  - { id: a, tool: steps__putt }\n');
  const text = await sluice(['validate', 'wrong.yaml', 'hello']);
  expect(text).toMatchObject({ code: 1, stdout: expect.stringMatching(/^wrong\.yaml:3: error: .*steps__put/) });
  expect(text.stderr).toContain('1 of 2 blueprints cannot be deployed');
  const data = JSON.parse((await sluice(['validate', 'wrong.yaml', '--format', 'json'])).stdout) as Json;
  expect(data).toMatchObject({ of: 'wrong.yaml', valid: false, findings: [{ line: 3, severity: 'error' }] });
});

test.each([
  [['deploy', 'hello', '--input', 'name'], 2, 'NAME=VALUE'],
  [['deploy', 'hello', '--input', 'count=many'], 2, 'a whole number'],
  [['deploy', 'hello', '--secret', 'token'], 2, 'on a terminal'],
  [['deploy', 'hello', '--wait', 'long'], 2, '--wait must be'],
  [['deploy', 'hello', '--wait', '1s', '--no-wait'], 2, 'not both'],
  [['deploy', 'hello', '--schedule', '* * * * *', '--schedule-as-defined'], 2, 'not both'],
  [['deploy', 'hello'], 1, 'name'],
  [['deploy', 'helo'], 1, 'hello'],
  [['deploy', 'hello', '--inputs', 'none.yaml'], 1, 'does not exist'],
  [['deploy', 'hello', '--inputs', '{"token":"hidden-token"}'], 2, '--inputs is a file'],
  [['cancel', 'x', '--undo', '--keep'], 2, 'not both'],
  [['resume', 'x', '--unknown', 'maybe'], 2, 'done or repeat'],
  [['history', '--state', 'lost'], 2, '--state'],
  [['status', 'none'], 1, 'no run'],
  [['validate', 'none.yaml'], 1, 'does not exist'],
  [['validate', 'hello', '--format', 'sarif'], 2, 'text or json'],
] as [string[], number, string][])('%j ends with %i: %s', async (args, code, words) => {
  const ended = await sluice(args);
  expect(ended).toMatchObject({ code, stderr: expect.stringContaining(words) });
  expect(ended.stderr).not.toContain('hidden-token');
});

describe.skipIf(noTerminal)('on a terminal', () => {
  test('the person confirms, and decides about approvals', async () => {
    const careful = onTerminal(place, ['blueprint', 'deploy', 'careful']);
    await careful.printed('[y/N]');
    careful.child.stdin.write('y\r');
    expect(await careful.finished).toMatchObject({ code: 0 });
    expect(server.calls).toHaveLength(1);
    const asks = onTerminal(place, ['blueprint', 'deploy', 'asks']);
    await asks.printed('Approve');
    asks.child.stdin.write('yes\r');
    await asks.printed('Comment');
    asks.child.stdin.write('fine by me\r');
    expect(await asks.finished).toMatchObject({ code: 0, stdout: expect.stringContaining(': fine by me') });
  });

  test('a secret is asked for, and never shown', async () => {
    const deploy = onTerminal(place, ['blueprint', 'deploy', 'hello', '--input', 'name=quiet', '--secret', 'token']);
    await deploy.printed('token: ');
    deploy.child.stdin.write('hush-hush\r');
    const { code, stdout } = await deploy.finished;
    expect([code, stdout.includes('hush-hush')]).toEqual([0, false]);
    expect(server.calls[0]?.args.value).toMatchObject({ token: 'hush-hush' });
  });

  test('whoever declines an approval is not asked again, and the run waits', async () => {
    const run = await deployed('asks', '--no-wait');
    const following = onTerminal(place, ['blueprint', 'status', run, '--follow']);
    await following.printed('Approve');
    following.child.stdin.write('\x04');
    expect(await sluice(['approve', run])).toMatchObject({ code: 0 });
    const { code, stdout } = await following.finished;
    expect([code, stdout.split('Approve –').length]).toEqual([0, 2]);
  });
});

describe('without a running gateway', () => {
  test('a command runs one: what it deploys ends, and what waits goes on later', async () => {
    await using alone = await createPlace({ mcpServers: { steps: server.entry } });
    await mkdir(join(alone.project, 'blueprints'));
    for (const name of ['hello', 'asks'])
      await writeFile(join(alone.project, 'blueprints', `${name}.yaml`), files[name] as string);
    const done = await alone.run(['blueprint', 'deploy', 'hello', '--input', 'name=alone']);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('made: alone') });
    const waits = await alone.run(['blueprint', 'deploy', 'asks', '--json']);
    expect(waits).toMatchObject({ code: 1, stderr: expect.stringContaining('It goes on when `sluice serve` runs.') });
    const { run } = JSON.parse(waits.stdout) as { run: string };
    // It ends at once although there is a run to carry out.
    expect(await alone.run(['blueprint', 'history'])).toMatchObject({ code: 0, stdout: expect.stringContaining(run) });
    await using _ = await alone.serve();
    expect(await alone.run(['blueprint', 'approve', run])).toMatchObject({ code: 0 });
    expect(await alone.run(['blueprint', 'status', run, '--wait', '30s'])).toMatchObject({ code: 0 });
  });

  test('blueprints that are off are out of reach', async () => {
    await using off = await createPlace({ blueprints: false });
    expect(await off.run(['blueprint', 'list'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('blueprints are off'),
    });
  });
});
