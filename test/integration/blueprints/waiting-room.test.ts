import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { blueprintsWaiting } from '../../../src/blueprints/waiting-room.ts';
import type { GatewayApi } from '../../../src/gateway/open.ts';
import { gatewayPart } from '../../../src/gateway/part.ts';
import { type None, part } from '../../../src/host/part.ts';
import type { Waiting, WaitingRoom } from '../../../src/host/waiting.ts';
import type { Principal } from '../../../src/kernel/principal.ts';
import { createSeal } from '../../../src/kernel/seal.ts';
import { parts } from '../../../src/parts.ts';
import { startStepServer, type StepServer } from '../../fixtures/step-server.ts';
import { blueprintCalls } from '../../support/blueprints.ts';
import { startGateway, type TestGateway } from '../harness.ts';

let server: StepServer;
let gateway: TestGateway;
let room: WaitingRoom;
let calls: GatewayApi;
let made = 0;

const boss: Principal = { id: 'key:boss', scopes: new Set(['admin']) };

const uses = { gateway: gatewayPart };
/** A part that hands out what the gateway gives to parts. */
const peeking = part<undefined, None, typeof uses>({
  uses,
  open: async (_, { gateway: given }) => {
    calls = given;
    return { api: undefined };
  },
});

beforeAll(async () => {
  server = await startStepServer();
  gateway = await startGateway({ mcpServers: { steps: server.entry } }, { parts: { ...parts, peeking } });
  room = roomOf(true);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.before = () => {};
});

function roomOf(isAuthOn: boolean): WaitingRoom {
  return blueprintsWaiting({
    gateway: calls,
    stopping: new AbortController().signal,
    tables: gateway.runtime.store.tables,
    seal: async () => createSeal(await gateway.runtime.store.settings.secret('blueprints')),
    isAuthOn: () => isAuthOn,
  });
}

async function deployed(steps: string, inputs = {}, wait_seconds = 20): Promise<string> {
  await using blueprints = await blueprintCalls(gateway);
  const name = `waits-${++made}`;
  await blueprints.call('blueprint_save', { text: `name: ${name}\n${steps}` });
  const { run } = await blueprints.confirmed<{ run: string }>('blueprint_deploy', { name, inputs, wait_seconds });
  return run;
}

const of = (run: string) => (one: Waiting) => one.page === `blueprints/runs/${run}`;
const seenBy = async (who: Principal, run: string, where = room) => (await where.list(who, undefined)).find(of(run));

test('an approval: who sees it, and who decides', async () => {
  const secret = 'hunter2-hunter2';
  const run = await deployed(
    'inputs: { token: { type: string, secret: true } }\nsteps: [{ id: go, approval: "Use ${inputs.token}?" }]',
    { token: secret },
  );
  const seen = await seenBy(boss, run);
  expect(seen).toMatchObject({ kind: 'approval', decides: true, detail: expect.stringContaining('step go') });
  expect(JSON.stringify(seen)).not.toContain(secret);
  expect(Date.parse(seen?.expires ?? '')).toBeGreaterThan(Date.now());

  // Whoever may only look, sees that it waits, and why it is not theirs.
  expect(await seenBy({ id: 'key:r', scopes: new Set(['blueprint:read']) }, run)).toMatchObject({
    decides: false,
    why: expect.stringContaining('blueprint:approve'),
  });
  // Whoever may approve decides about the runs of others, also if limited to that tool.
  const approver: Principal = { id: 'key:a', scopes: new Set(['blueprint:approve']), tools: ['blueprint_approve'] };
  expect(await seenBy(approver, run)).toMatchObject({ decides: true });
  // Nobody else learns of it.
  expect(await room.list({ id: 'key:m', scopes: new Set(['memory:read']) }, undefined)).toEqual([]);
  expect(
    await seenBy({ id: 'key:l', scopes: new Set(['tools:execute']), tools: ['blueprint_status'] }, run),
  ).toBeUndefined();
  expect(await room.list({ id: 'key:t', scopes: new Set(['tools:execute']), tools: ['steps__*'] }, undefined)).toEqual(
    [],
  );

  await expect(
    room.decide?.(seen?.id ?? '', { approve: true }, { id: 'key:r', scopes: new Set(['blueprint:read']) }, undefined),
  ).rejects.toThrow('blueprint:approve');
  expect(await room.decide?.(seen?.id ?? '', { approve: true, note: 'Fine' }, boss, undefined)).toMatch(
    /^You approved go of/,
  );
  await expect.poll(() => seenBy(boss, run)).toBeUndefined();
  await expect(room.decide?.(seen?.id ?? '', { approve: true }, boss, undefined)).rejects.toThrow('does not wait');
});

test('whoever deployed it does not decide, if callers can be told apart', async () => {
  const run = await deployed('steps: [{ id: go, approval: Go? }]');
  await using blueprints = await blueprintCalls(gateway);
  const { deployed_by } = await blueprints.call<{ deployed_by: string }>('blueprint_status', { run });
  const own: Principal = { id: deployed_by, scopes: new Set(['admin']) };
  expect(await seenBy(own, run)).toMatchObject({ decides: false, why: expect.stringContaining('Another key') });
  expect(await seenBy(own, run, roomOf(false))).toMatchObject({ decides: true });
  const seen = await seenBy(own, run, roomOf(false));
  expect(await room.decide?.(seen?.id ?? '', { approve: false, note: '' }, boss, undefined)).toMatch(
    /^You refused go of/,
  );
});

test('a step of which nobody knows the end is somebody to look at, not to approve', async () => {
  const run = await deployed(
    'on_failure: keep\nsteps: [{ id: act, timeout: 50ms, tool: steps__act, arguments: { name: a, ms: 400 } }]',
  );
  const seen = await seenBy(boss, run);
  expect(seen).toMatchObject({ decides: false, why: expect.stringContaining('Find out') });
  expect(seen?.detail).toContain('act');
  await expect(room.decide?.(seen?.id ?? '', { approve: true }, boss, undefined)).rejects.toThrow(
    'Nothing of this name',
  );
  expect(await seenBy({ id: 'key:a', scopes: new Set(['blueprint:approve']) }, run)).toBeUndefined();
});

test('runs that have ended, or wait for something else, need nobody', async () => {
  const waits = await deployed('steps: [{ id: w, wait: 1h }]', {}, 0);
  const done = await deployed('steps: [{ id: a, tool: steps__look, arguments: { name: a } }]');
  const pages = (await room.list(boss, undefined)).map(({ page }) => page);
  expect(pages).not.toContain(`blueprints/runs/${waits}`);
  expect(pages).not.toContain(`blueprints/runs/${done}`);
});

test.each(['', 'x', ':', 'a:', ':go', 'no-such-run:go'])('decides nothing for %j', async (id) => {
  await expect(room.decide?.(id, { approve: true }, boss, undefined)).rejects.toThrow(/Nothing of this name|no run/);
});
