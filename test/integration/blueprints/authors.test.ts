/** What one caller saves and another one deploys: its steps run with the rights of whoever deploys. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { startStepServer, type StepServer } from '../../fixtures/step-server.ts';
import { type BlueprintCalls, blueprintCalls } from '../../support/blueprints.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { startReplicas } from '../../support/two-replicas.ts';
import { type Json, startGateway, type TestGateway } from '../harness.ts';

let server: StepServer;
let gateway: TestGateway;
let made = 0;
const config = () => ({ auth: { mode: 'keys' }, mcpServers: { steps: server.entry } });

beforeAll(async () => {
  server = await startStepServer();
  gateway = await startGateway(config());
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.calls.length = 0;
  server.before = () => {};
});

interface Caller extends BlueprintCalls {
  readonly name: string;
  readonly headers: Record<string, string>;
}

async function caller(at: TestGateway, ...scopes: string[]): Promise<Caller> {
  const name = `key-${++made}`;
  const grant = { name, scopes, createdBy: 'test', createdAt: new Date().toISOString() };
  const { key } = await createKey(at.runtime.store.keys, grant);
  const headers = { authorization: `Bearer ${key}` };
  return { name, headers, ...(await blueprintCalls(at, headers)) };
}
/** What `sluice keys create` gives. */
const usual = ['tools:read', 'tools:execute'];

const text = (name: string, thing: string) =>
  `name: ${name}\nsteps: [{ id: a, tool: steps__put, arguments: { name: ${thing} } }]`;
const things = () => server.calls.map(({ name }) => name);
const asks = (author: Caller, name: string) =>
  new RegExp(`${name} was saved by ${author.name} \\(key:.*with your rights`);

test('a key cannot put its text in the place of a shipped blueprint, or of one that an admin saved', async () => {
  const [admin, other] = [await caller(gateway, 'admin'), await caller(gateway, ...usual)];
  await expect(other.call('blueprint_save', { text: text('health-report', 'planted') })).rejects.toThrow(
    'health-report comes with Sluice',
  );
  await admin.call('blueprint_save', { text: text('mine', 'wanted') });
  await expect(other.call('blueprint_save', { text: text('mine', 'planted') })).rejects.toThrow(
    'Only they or an admin',
  );
  await expect(other.call('blueprint_delete', { name: 'mine' })).rejects.toThrow('Only they or an admin');
  await admin.call('blueprint_deploy', { name: 'mine' });
  expect(things()).toEqual(['wanted']);
  await other.call('blueprint_save', { text: text('theirs', 'a') });
  await admin.call('blueprint_save', { text: text('theirs', 'b') });
  await expect(other.call('blueprint_save', { text: text('theirs', 'c') })).rejects.toThrow('Only they or an admin');
  expect(await admin.confirmed('blueprint_delete', { name: 'theirs' })).toMatchObject({ deleted: true });
});

test('deploying what somebody else saved asks once for each version, and names the author', async () => {
  const [admin, author] = [await caller(gateway, 'admin'), await caller(gateway, ...usual)];
  await author.call('blueprint_save', { text: text('planted', 'one') });
  await author.call('blueprint_deploy', { name: 'planted' });
  expect(things()).toEqual(['one']);
  await expect(admin.call('blueprint_deploy', { name: 'planted' })).rejects.toThrow(asks(author, 'planted'));
  expect(things()).toEqual(['one']);
  await admin.confirmed('blueprint_deploy', { name: 'planted' });
  await admin.call('blueprint_deploy', { name: 'planted' });
  expect(things()).toEqual(['one', 'one', 'one']);
  // Somebody else has not seen it.
  const second = await caller(gateway, 'admin');
  await expect(second.call('blueprint_deploy', { name: 'planted' })).rejects.toThrow(asks(author, 'planted'));
  await author.call('blueprint_save', { text: text('planted', 'two') });
  await expect(admin.call('blueprint_deploy', { name: 'planted' })).rejects.toThrow(asks(author, 'planted'));
  await expect(admin.call('blueprint_deploy', { name: 'planted', schedule: '0 2 * * *' })).rejects.toThrow(
    asks(author, 'planted'),
  );
  expect(things()).toHaveLength(3);
  // A version that was confirmed before is known.
  await author.call('blueprint_save', { text: text('planted', 'one') });
  await admin.call('blueprint_deploy', { name: 'planted' });
});

test('a blueprint that one calls counts, too', async () => {
  const [admin, author] = [await caller(gateway, 'admin'), await caller(gateway, ...usual)];
  await author.call('blueprint_save', { text: text('inner', 'one') });
  await admin.call('blueprint_save', { text: 'name: outer\nsteps: [{ id: call, blueprint: inner }]' });
  await expect(admin.call('blueprint_deploy', { name: 'outer' })).rejects.toThrow(asks(author, 'inner'));
  const { run } = await admin.confirmed<{ run: string }>('blueprint_deploy', {
    name: 'outer',
    schedule: '0 2 * * *',
  });
  await admin.call('blueprint_deploy', { name: 'outer' });
  expect(things()).toEqual(['one']);
  await author.call('blueprint_save', { text: text('inner', 'two') });
  await expect(admin.call('blueprint_deploy', { name: 'outer' })).rejects.toThrow(asks(author, 'inner'));
  expect(things()).toEqual(['one']);
  await admin.call('blueprint_cancel', { run });
});

test('a schedule is ended by whoever made it, or by an admin', async () => {
  const [admin, author, other] = [
    await caller(gateway, 'admin'),
    await caller(gateway, ...usual),
    await caller(gateway, ...usual),
  ];
  await author.call('blueprint_save', { text: text('nightly', 'one') });
  const scheduled = async () =>
    (await author.call<{ run: string }>('blueprint_deploy', { name: 'nightly', schedule: '0 2 * * *' })).run;
  const schedule = await scheduled();
  const known = async () =>
    (await other.call<{ schedules: { schedule: string }[] }>('blueprint_list_schedules')).schedules.map(
      (one) => one.schedule,
    );
  await expect(other.call('blueprint_cancel', { run: schedule })).rejects.toThrow(
    /deploys nightly for key:.*Only they or an admin may end it/,
  );
  const byRest = await fetch(new URL(`/api/v1/blueprint-schedules/${schedule}`, gateway.url), {
    method: 'DELETE',
    headers: other.headers,
  });
  expect(byRest.status).toBe(403);
  expect(await known()).toContain(schedule);
  expect(await author.call('blueprint_cancel', { run: schedule })).toMatchObject({ state: 'removed' });
  const second = await scheduled();
  expect(await admin.call('blueprint_cancel', { run: second })).toMatchObject({ state: 'removed' });
  expect(await known()).not.toContain(second);
});

test('a recipe of somebody else asks even if it only reads, and is replaced and deleted by its author only', async () => {
  const [admin, author] = [await caller(gateway, 'admin'), await caller(gateway, ...usual)];
  await author.call('steps__look', { name: 'a' });
  await author.call('recipe_save', { name: 'looking', last: 1 });
  await author.call('recipe_run', { name: 'looking' });
  await expect(admin.call('recipe_run', { name: 'looking' })).rejects.toThrow(asks(author, 'looking'));
  await admin.confirmed('recipe_run', { name: 'looking' });
  await admin.call('recipe_run', { name: 'looking' });
  const other = await caller(gateway, ...usual);
  await other.call('steps__look', { name: 'b' });
  await expect(other.call('recipe_save', { name: 'looking', last: 1, replace: true })).rejects.toThrow('or an admin');
  await expect(other.call('recipe_delete', { name: 'looking' })).rejects.toThrow('Only they or an admin');
  expect(await author.confirmed('recipe_delete', { name: 'looking' })).toMatchObject({ deleted: true });
});

test('resuming the run of somebody else asks, and names who chose its inputs', async () => {
  const [admin, author] = [await caller(gateway, 'admin'), await caller(gateway, ...usual)];
  await author.call('blueprint_save', { text: `on_failure: keep\n${text('failing', 'one')}` });
  server.before = () => {
    throw new Error('not now');
  };
  const { run } = await author.call<{ run: string }>('blueprint_deploy', { name: 'failing' });
  server.before = () => {};
  await expect(admin.call('blueprint_resume', { run })).rejects.toThrow(
    new RegExp(`was deployed by ${author.name} .*with your rights`),
  );
  expect(things()).toEqual(['one']);
  expect(await admin.confirmed('blueprint_resume', { run })).toMatchObject({ state: 'succeeded' });
});

test('what was confirmed is known after a restart', async () => {
  const home = await mkdtemp(join(tmpdir(), 'sluice-authors-'));
  try {
    let headers: Record<string, string>;
    {
      await using before = await startGateway(config(), { home });
      const [admin, author] = [await caller(before, 'admin'), await caller(before, ...usual)];
      await author.call('blueprint_save', { text: text('kept', 'one') });
      await admin.confirmed('blueprint_deploy', { name: 'kept' });
      ({ headers } = admin);
    }
    await using after = await startGateway(config(), { home });
    await using admin = await blueprintCalls(after, headers);
    expect(await admin.call('blueprint_deploy', { name: 'kept' })).toMatchObject({ state: 'succeeded' });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

describe.skipIf(postgresIsMissing)('on two replicas', () => {
  test('what was confirmed at one is known at the other, and neither replaces what is not theirs', async () => {
    await using replicas = await startReplicas(config());
    const { a, b } = replicas;
    const [admin, author] = [await caller(a, 'admin'), await caller(a, ...usual)];
    await using atB = await blueprintCalls(b, admin.headers);
    await using authorAtB = await blueprintCalls(b, author.headers);
    await author.call('blueprint_save', { text: text('shared', 'one') });
    await expect(atB.call('blueprint_deploy', { name: 'shared' })).rejects.toThrow(asks(author, 'shared'));
    await admin.confirmed<Json>('blueprint_deploy', { name: 'shared' });
    expect(await atB.call('blueprint_deploy', { name: 'shared' })).toMatchObject({ state: 'succeeded' });
    await admin.call('blueprint_save', { text: text('shared', 'two') });
    await expect(authorAtB.call('blueprint_save', { text: text('shared', 'three') })).rejects.toThrow('or an admin');
  });
});
