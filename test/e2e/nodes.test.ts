import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { waitForLock } from '../../src/host/process-lock.ts';
import { packageCatalogue } from '../../src/nodes/catalogues/places.ts';
import { PINNED_N8N } from '../../src/nodes/which-n8n.ts';
import { catalogueIsMissing } from '../support/catalogue.ts';
import { callTool, connectV2 } from '../integration/harness.ts';
import { createPlace, type Place } from '../support/command-line.ts';
import { ask, CLOSED, freshMachine, LONG, serving } from '../support/node-tour.ts';

describe.skipIf(catalogueIsMissing)('nodes, in a fresh home', () => {
  let place: Place;
  let env: Record<string, string>;
  let gateway: Awaited<ReturnType<typeof serving>>;

  beforeAll(async () => {
    ({ place, env } = await freshMachine());
    gateway = await serving(place, env);
  }, LONG);
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await place?.[Symbol.asyncDispose]();
  });

  test.each(['legacy', 'modern'] as const)(
    'a client of the %s era finds a node, learns how to configure it, and connects it',
    async (era) => {
      await using client = await connectV2(gateway, { era });
      // A caller that asks before it is built waits.
      const types = await ask(client, 'get_node_types');
      expect(types.isError, types.text).toBe(false);
      expect(types.data).not.toHaveProperty('note');
      expect(types.data).toMatchObject({
        TRIGGER: expect.arrayContaining(['CRON', 'WEBHOOK']),
        FLOW: expect.arrayContaining(['IF']),
      });

      const found = await ask(client, 'search_nodes', { query: 'run something every morning' });
      const [first] = found.data.nodes as { name: string; type: string; subtype: string }[];
      expect(first).toMatchObject({ name: 'n8n-nodes-base.scheduleTrigger', type: 'TRIGGER', subtype: 'CRON' });

      const details = await ask(client, 'get_node_details', {
        nodes: [{ node_type: first?.type, subtype: first?.subtype }],
      });
      const [node] = details.data.nodes as { n8n: { type: string; fragment: { nodes: unknown[] } } }[];
      expect(node?.n8n.type).toBe(first?.name);
      expect(node?.n8n.fragment.nodes).toHaveLength(1);

      const next = await ask(client, 'suggest_connections', { node: '@n8n/n8n-nodes-langchain.agent' });
      expect(next.data).toMatchObject({ needs: ['ai_languageModel'] });
      for (const { text } of [types, found, details, next]) expect(text.length).toBeLessThan(8192);

      const values = await ask(client, 'get_node_options', { node: 'executeWorkflow', property: 'workflowId' });
      expect(values).toMatchObject({ isError: true, text: expect.stringMatching(/none is connected.*sluice n8n up/) });
    },
    LONG,
  );

  test(
    'the command line searches and shows, for people and for programs',
    async () => {
      const run = (...args: string[]) => place.run(['nodes', ...args], { env });
      const morning = ['search', 'run something every morning'];
      const [json, lines, shown, spec, unknown, empty, odd] = await Promise.all([
        run(...morning, '--json'),
        run(...morning),
        run('show', 'slack'),
        run('show', 'slack', '--json'),
        run('show', 'no such node at all'),
        run('search'),
        run('dance'),
      ]);
      expect(json.code).toBe(0);
      const [first] = JSON.parse(json.stdout) as Record<string, unknown>[];
      expect(first).toEqual({
        name: 'n8n-nodes-base.scheduleTrigger',
        title: 'Schedule Trigger',
        type: 'TRIGGER',
        score: expect.any(Number),
      });
      expect(lines.stdout).toContain('n8n-nodes-base.scheduleTrigger');
      expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('n8n-nodes-base.slack')]);
      expect(JSON.parse(spec.stdout)).toMatchObject({ n8n: { type: 'n8n-nodes-base.slack' } });
      expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no such node at all')]);
      expect([empty.code, odd.code]).toEqual([2, 2]);
    },
    LONG,
  );

  test(
    'a catalogue that cannot be rebuilt stays in use',
    async () => {
      await rm(join(env.SLUICE_CACHE as string, 'n8n'));
      const again = await place.run(['nodes', 'sync'], { env });
      expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/\d+ nodes of n8n .*up to date/)]);
      const sync = await place.run(['nodes', 'sync', '--version', '2.40.0'], { env });
      expect([sync.code, sync.stderr]).toEqual([3, expect.stringMatching(/npm cannot reach its registry/)]);
      const { code, stdout } = await place.run(['nodes', 'search', 'slack', '--json'], { env });
      expect([code, (JSON.parse(stdout) as { name: string }[])[0]?.name]).toEqual([0, 'n8n-nodes-base.slack']);
      await using client = await connectV2(gateway, { era: 'modern' });
      expect(await ask(client, 'get_node_types')).toMatchObject({ isError: false });
    },
    LONG,
  );
});

describe.concurrent('where the packages of n8n cannot be had', () => {
  test(
    'the tools say why, and what to do',
    async () => {
      await using place = await createPlace();
      const env = { SLUICE_CACHE: join(place.user, 'cache'), ...CLOSED };
      await using gateway = await serving(place, env);
      await using client = await connectV2(gateway, { era: 'modern' });
      const types = await ask(client, 'get_node_types');
      expect(types).toMatchObject({ isError: false, text: expect.stringContaining('only the nodes that Sluice') });
      const versions = await ask(client, 'get_node_versions', { node: 'slack' });
      expect(versions.isError).toBe(true);
      for (const { text } of [types, versions])
        expect(text).toMatch(/npm cannot reach its registry.*sluice nodes sync/);
      const status = await place.run(['status'], { env });
      expect(status.stdout).toMatch(/node catalogue.*npm cannot reach its registry/);
    },
    LONG,
  );

  test(
    'a command that waits for another process can be stopped, and says that nothing was lost',
    async () => {
      await using place = await createPlace();
      const env = { SLUICE_CACHE: join(place.user, 'cache'), ...CLOSED };
      using _held = await waitForLock(`${packageCatalogue(env.SLUICE_CACHE, PINNED_N8N)}.lock`, () => {});
      const sync = place.start(['nodes', 'sync'], { env });
      await sync.printed('waiting for another process');
      sync.child.kill('SIGINT');
      expect(await sync.finished).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('The last catalogue is kept'),
      });
    },
    LONG,
  );

  test(
    'while callers wait for the nodes, the tools report progress, and everything else works',
    async () => {
      const sockets = new Set<Socket>();
      const silent = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
      await new Promise((done) => silent.once('listening', done));
      const { port } = silent.address() as AddressInfo;
      try {
        await using place = await createPlace();
        const env = { SLUICE_CACHE: join(place.user, 'cache'), npm_config_registry: `http://127.0.0.1:${port}/` };
        await using gateway = await serving(place, env);
        await using client = await connectV2(gateway, { era: 'legacy' });
        const stopping = new AbortController();
        const heard: (string | undefined)[] = [];
        const waiting = callTool(
          client,
          'get_node_types',
          {},
          { signal: stopping.signal, onprogress: ({ message }: { message?: string }) => heard.push(message) },
        ).catch((error: unknown) => error);
        await vi.waitFor(() => expect(heard.join('\n')).toMatch(/being built: looking up/), LONG);
        expect((await ask(client, 'gateway_status')).isError).toBe(false);
        stopping.abort();
        expect(await waiting).toBeInstanceOf(Error);
      } finally {
        for (const socket of sockets) socket.destroy();
        silent.close();
      }
    },
    LONG,
  );
});
