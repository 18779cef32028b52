import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openFolder } from '../../../src/n8n/as-code/folder.ts';
import { pull } from '../../../src/n8n/as-code/pull.ts';
import { push, type Pushed, type Pushing } from '../../../src/n8n/as-code/push.ts';
import { isBlocked, type Plan, planPush, type Planning } from '../../../src/n8n/as-code/push-plan.ts';
import { openRemote } from '../../../src/n8n/as-code/remote.ts';
import type { Workflow } from '../../../src/n8n/client/shapes.ts';
import { credentialTools } from '../../../src/n8n/credentials/tools.ts';
import { tagTools } from '../../../src/n8n/tags/tools.ts';
import { writable } from '../../../src/n8n/workflows/body.ts';
import { workflowTools } from '../../../src/n8n/workflows/tools.ts';
import { type BreakingProxy, openBreakingProxy, type Spoil } from '../../support/breaking-proxy.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { openWorkbench, reachN8n, type Workbench } from '../../support/workbench.ts';
import { line, node } from '../../support/workflows.ts';

const instance = 'default';
const progress = () => {};

describe.skipIf(n8nIsMissing)('a folder in step with an n8n', () => {
  let bench: Workbench;
  let proxy: BreakingProxy;
  let directory: string;
  let tag: string;
  let count = 0;

  beforeAll(async () => {
    const reached = await reachN8n();
    proxy = await openBreakingProxy(reached.url);
    bench = await openWorkbench([...workflowTools, ...tagTools, ...credentialTools], { ...reached, url: proxy.url });
  }, N8N_START_MS);

  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-as-code-'));
    tag = bench.name(`${++count}`);
  });

  afterEach(async () => {
    proxy.heal();
    proxy.onWrite = undefined;
    await rm(directory, { recursive: true, force: true });
    for (const { id } of await there()) await bench.client.workflows.delete(id);
  });

  /** What n8n has of this test, also in the archive. */
  const there = async () =>
    (await Array.fromAsync(bench.client.workflows.all())).filter(({ name }) => name.startsWith(`${tag} `));

  const both = async () => ({
    folder: await openFolder(directory, { instance, create: 'now', pinned: false }),
    remote: await openRemote((tool, args) => bench.call(tool, args), instance),
  });

  const pulled = async (how: { force?: boolean } = {}) =>
    (
      await pull(await both(), {
        scope: { tag, names: [] },
        force: false,
        pinned: false,
        dryRun: false,
        progress,
        ...how,
      })
    ).items.map(({ action, file }) => `${action} ${file}`);

  async function pushed(
    how: Partial<Pick<Planning, 'force' | 'archive'> & Pick<Pushing, 'publish' | 'keepGoing'>> = {},
  ): Promise<{ plan: Plan; pushed: Pushed; actions: string[] }> {
    const sides = await both();
    const plan = await planPush(sides, {
      scope: { tag, names: [] },
      pinned: false,
      force: false,
      archive: false,
      validate: 'off',
      progress,
      ...how,
    });
    const done = await push(sides, plan, { validate: 'off', keepGoing: false, progress, ...how });
    const actions = plan.planned.map((one) => `${isBlocked(one) ? 'blocked' : one.action} ${one.pair.file}`);
    return { plan, pushed: done, actions: actions.sort() };
  }

  const start = () => node('Start', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
  const value = (text: string) => node('Value', 'set', 3.4, { mode: 'raw', jsonOutput: `{"value":"${text}"}` });
  const calling = (file: string) =>
    node('Call', 'executeWorkflow', 1.2, { workflowId: { __rl: true, mode: 'id', value: `./${file}` }, options: {} });

  const write = (file: string, name: string, ...nodes: ReturnType<typeof node>[]) =>
    writeFile(
      join(directory, file),
      JSON.stringify({ name: `${tag} ${name}`, tags: [{ name: tag }], ...line(start(), ...nodes) }),
    );
  const edit = async (file: string, change: (workflow: Workflow) => void) => {
    const workflow = JSON.parse(await readFile(join(directory, file), 'utf8')) as Workflow;
    change(workflow);
    await writeFile(join(directory, file), JSON.stringify(workflow));
  };
  const setValue = (text: string) => (workflow: Workflow) => {
    for (const one of workflow.nodes) if (one.name === 'Value') one.parameters.jsonOutput = `{"value":"${text}"}`;
  };
  const editThere = async (id: string, change: (workflow: Workflow) => void) => {
    const workflow = await bench.client.workflows.get(id);
    change(workflow);
    await bench.client.workflows.update(id, writable(workflow), false);
  };

  it('publishes only what is in the folder, not a draft that somebody is working on in n8n', async () => {
    await write('live.json', 'Live', value('1'));
    await pushed({ publish: 'all' });
    const [live] = await there();
    await editThere(live?.id ?? '', setValue('half done'));
    const { pushed: done, actions } = await pushed({ publish: 'live' });
    expect(actions).toEqual(['to pull live.json']);
    expect(done.published).toEqual([]);
    expect((await bench.client.workflows.get(live?.id ?? '')).activeVersionId).toBe(live?.activeVersionId);
  });

  it('finds a file that somebody renamed and edited, and does not create its workflow twice', async () => {
    await write('a.json', 'A', value('1'));
    await pushed({ publish: 'all' });
    const before = await there();
    await rename(join(directory, 'a.json'), join(directory, 'b.json'));
    await edit('b.json', setValue('2'));
    expect((await pushed({ archive: true })).actions).toEqual(['update b.json']);
    await rename(join(directory, 'b.json'), join(directory, 'c.json'));
    await edit('c.json', (workflow) => {
      workflow.name = `${tag} C`;
    });
    expect((await pushed({ archive: true })).actions).toEqual(['update c.json']);
    expect((await there()).map(({ id, isArchived }) => [id, isArchived])).toEqual(before.map(({ id }) => [id, false]));
  });

  it('finds its files again after a pull that stopped while it renamed them', async () => {
    await write(`${tag}-invoices.json`, 'Invoices', value('1'));
    await pushed();
    const [one] = await there();
    await editThere(one?.id ?? '', (workflow) => {
      workflow.name = `${tag} Bills`;
    });
    const sides = await both();
    const folder = { ...sides.folder, writeSide: () => Promise.reject(new Error('the disk is full')) };
    const how = { scope: { tag, names: [] }, force: false, pinned: false, dryRun: false, progress };
    await expect(pull({ ...sides, folder }, how)).rejects.toThrow('full');
    await pulled();
    expect((await readdir(directory)).sort()).toEqual(['.sluice', `${tag}-bills.json`]);
    expect((await pushed()).actions).toEqual([`none ${tag}-bills.json`]);
  });

  it('says that a file is broken, instead of that it is to be pushed', async () => {
    await write('a.json', 'A', value('1'));
    await pushed();
    await writeFile(join(directory, 'a.json'), '<<<<<<< HEAD\n{}');
    expect(await pulled()).toEqual(['error a.json']);
    expect(await pulled({ force: true })).toEqual(['update a.json']);
  });

  it.each<[string, number, Spoil]>([
    ['saved, but not tagged', 2, 'refuse'],
    ['created, but n8n did not answer', 3, 'lose'],
    ['created, but not tagged', 4, 'gone'],
    ['created, and waits for one that does not exist yet', 5, 'cut'],
  ])('continues after a push that stopped when a workflow was %s', async (_, at, how) => {
    await write('old.json', 'Old', value('1'));
    await pushed();
    await edit('old.json', (workflow) => {
      setValue('2')(workflow);
      Object.assign(workflow, { tags: [{ name: `${tag}b` }, { name: tag }] });
    });
    await write('ping.json', 'Ping', calling('pong.json'));
    await write('pong.json', 'Pong', calling('ping.json'));
    proxy.spoil(at, how);
    expect((await pushed()).pushed.failed.size).toBe(1);
    proxy.heal();
    const again = await pushed();
    expect([again.pushed.failed.size, again.actions.filter((one) => one.startsWith('blocked'))]).toEqual([0, []]);
    expect((await pushed()).actions).toEqual(['none old.json', 'none ping.json', 'none pong.json']);
    const [old, ping, pong, ...more] = (await there()).sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(more).toEqual([]);
    expect(old?.tags?.map(({ name }) => name).sort()).toEqual([tag, `${tag}b`]);
    const calls = (one?: Workflow) => (one?.nodes[1]?.parameters.workflowId as { value?: string } | undefined)?.value;
    expect([calls(ping), calls(pong)]).toEqual([pong?.id, ping?.id]);
  });

  it.each([
    ['that waits for its turn', 1],
    ['that is written again when the others of its circle exist', 4],
  ])('does not overwrite a workflow %s if somebody changes it meanwhile', async (_, at) => {
    await write('ping.json', 'Ping', calling('pong.json'));
    await write('pong.json', 'Pong', calling('ping.json'));
    if (at === 1) {
      await pushed();
      const annotate = (workflow: Workflow) => {
        for (const one of workflow.nodes) one.notes = 'new';
      };
      for (const file of ['ping.json', 'pong.json']) await edit(file, annotate);
    }
    proxy.heal();
    proxy.onWrite = async () => {
      if (proxy.writes() < at) return;
      proxy.onWrite = undefined;
      const theirs = (await there()).find(({ name }) => name.endsWith(at === 1 ? 'Ping' : 'Pong'));
      await editThere(theirs?.id ?? '', (workflow) => {
        workflow.description = 'by hand';
      });
    };
    const { pushed: done } = await pushed();
    expect([...done.failed.values()]).toEqual([expect.stringContaining('Somebody changed it in n8n during this push')]);
    const now = await Promise.all((await there()).map(({ id }) => bench.client.workflows.get(id)));
    expect(now.map(({ description }) => description ?? '').sort()).toEqual(['', 'by hand']);
  });
});
