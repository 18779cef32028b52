/** A real n8n, as a user has it: with the gateway, and separately. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cacheDirectory } from '../../src/host/home.ts';
import { localOwner } from '../../src/n8n/local/owner.ts';
import { provision } from '../../src/n8n/owner/provision.ts';
import type { InstanceRecord } from '../../src/n8n/local/record.ts';
import { createN8nClient } from '../../src/n8n/client/client.ts';
import { agentWith, calculator } from '../support/tool-bench.ts';
import { line, node, set } from '../support/workflows.ts';
import { N8N_START_MS, n8nIsMissing } from '../support/n8n.ts';
import { createPlace, type Place, type Started } from '../support/command-line.ts';

const SUM = 'sums__Calculator';
const REPORT = 'run_report';

interface Status {
  state: string;
  pid: number;
  keeper: number;
  url: string;
  keptBy: string;
  restarts: number;
  record: string;
  apiKey?: string;
  password?: string;
}

describe.skipIf(n8nIsMissing)(`a local n8n${n8nIsMissing ? ` (skipped: ${n8nIsMissing})` : ''}`, () => {
  let place: Place;
  let beside: Started | undefined;
  const env = { SLUICE_CACHE: cacheDirectory(process.env) };
  const n8n = (...args: string[]) => place.run(['n8n', ...args], { env });
  const status = async (...args: string[]) => JSON.parse((await n8n('status', '--json', ...args)).stdout) as Status;
  const record = async () => JSON.parse(await readFile(join(place.home, 'n8n/default.json'), 'utf8')) as InstanceRecord;
  const n8nPid = async () => {
    const state = JSON.parse(await readFile(join(place.home, 'n8n/default/state.json'), 'utf8')) as { n8nPid: number };
    return state.n8nPid;
  };
  const ask = (url: string, key = '') => fetch(`${url}/api/v1/workflows`, { headers: { 'x-n8n-api-key': key } });

  beforeAll(async () => {
    place = await createPlace();
  });
  afterAll(async () => {
    beside?.child.kill('SIGTERM');
    await beside?.finished;
    await n8n('down');
    await place[Symbol.asyncDispose]();
  });

  const call = (tool: string, args: object) => place.run(['call', tool, JSON.stringify(args)], { env });
  const tools = async () => (await place.run(['tools'], { env })).stdout;

  /** An agent with a calculator, and a workflow that other workflows run; both bridged. */
  async function bridgeSome(url: string): Promise<void> {
    const { apiKey = '' } = await record();
    const client = createN8nClient('default', { url, apiKey, timeoutMs: 30_000 });
    const settings = { executionOrder: 'v1' };
    await client.workflows.create({ name: 'Sums', ...agentWith([calculator()]), settings });
    const trigger = node('In', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
    const report = { name: 'Report', ...line(trigger, set('Out', '({ sold: 3 })')), settings };
    await client.workflows.publish((await client.workflows.create(report)).id);
    expect(await place.run(['bridge', 'apply', 'Sums', 'Report'], { env })).toMatchObject({ code: 0 });
  }

  /** No process of n8n or its task runner is left. */
  function isEmpty(group: number): boolean {
    try {
      process.kill(-group, 0);
    } catch {
      return true;
    }
    return false;
  }

  test(
    'starts beside the gateway, which serves at once, and ends when the gateway is killed',
    async () => {
      const gateway = place.start(['serve', '--port', '0', '--with-n8n'], { env });
      await gateway.printed('Ready:');
      await gateway.printed('n8n is ready at');
      const { state, url, keptBy } = await status();
      expect({ state, keptBy }).toEqual({ state: 'ready', keptBy: 'gateway' });
      expect((await ask(url, (await record()).apiKey)).status).toBe(200);
      expect((await ask(url, 'wrong')).status).toBe(401);
      expect((await stat(join(place.home, 'n8n/default.json'))).mode & 0o777).toBe(0o600);

      const called = () => place.run(['call', 'n8n_list_workflows', '{}'], { env });
      await expect.poll(() => called(), { timeout: 15_000 }).toMatchObject({ code: 0 });

      const refused = await n8n('down');
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('ends with it') as string });

      await bridgeSome(url);
      expect((await call(SUM, { input: '25*42' })).stdout).toContain('1050');
      expect((await call(REPORT, {})).stdout).toContain('3');

      const group = await n8nPid();
      gateway.child.kill('SIGKILL');
      await gateway.finished;
      await expect.poll(() => isEmpty(group), { timeout: 15_000 }).toBe(true);
      expect((await status()).state).toBe('stopped');
    },
    N8N_START_MS,
  );

  test.each(['kill -9', 'stop'])(
    'after a %s, bridged tools are listed from the first second, and a call waits until n8n is up',
    async () => {
      const gateway = place.start(['serve', '--port', '0', '--with-n8n'], { env });
      await gateway.printed('Ready:');
      expect((await status()).state).not.toBe('ready');
      const listed = await tools();
      expect(listed).toContain(SUM);
      expect(listed).toContain(REPORT);
      const answers = await Promise.all([call(SUM, { input: '25*42' }), call(REPORT, {})]);
      expect(answers).toMatchObject([
        { stdout: '1050\n', stderr: expect.stringContaining('is waiting for n8n to start') as string },
        { stdout: '{"sold":3}\n', stderr: expect.stringContaining('is waiting for n8n to start') as string },
      ]);
      const { pid, keeper } = await status();
      expect([pid, keeper]).toEqual([await n8nPid(), gateway.child.pid]);
      gateway.child.kill('SIGTERM');
      expect((await gateway.finished).code).toBe(0);
    },
    N8N_START_MS,
  );

  test(
    'keeps running after `n8n up`, restarts after a crash, and shows its key only on request',
    async () => {
      const { apiKey } = await record();
      // This gateway is not configured for an n8n, and there is none yet.
      beside = place.start(['serve', '--port', '0'], { env });
      await beside.printed('Ready:');
      expect(await tools()).toContain(SUM);
      expect((await call(SUM, { input: '25*42' })).stderr).toContain('`sluice n8n up` starts it');
      const up = await n8n('up');
      await expect
        .poll(() => call(SUM, { input: '25*42' }), { timeout: 15_000 })
        .toMatchObject({
          stdout: expect.stringContaining('1050') as string,
        });
      expect((await call('n8n_list_workflows', {})).code).toBe(0);
      expect(up).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\n$/) as string });
      expect((await record()).apiKey).toBe(apiKey);
      const { url } = await status();
      expect((await ask(url, apiKey)).status).toBe(200);
      expect((await n8n('up')).stderr).toContain('n8n was already running');

      const said = await Promise.all([n8n('status'), n8n('logs'), n8n('status', '--json')]);
      const { password, encryptionKey } = await record();
      const secrets = [apiKey, password, encryptionKey];
      for (const { stdout, stderr } of [up, ...said])
        for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
      expect(said[1].stdout).toContain('Editor is now accessible');
      expect(await status('--show-key')).toMatchObject({ apiKey, password });

      const { restarts } = await status();
      process.kill(await n8nPid(), 'SIGKILL');
      await expect.poll(() => status(), { timeout: 15_000 }).toMatchObject({ restarts: restarts + 1 });
      expect((await n8n('up')).code).toBe(0);
      expect((await ask(url, apiKey)).status).toBe(200);
    },
    N8N_START_MS,
  );

  test('a lost key is created again on the same n8n', async () => {
    const { url } = await status();
    const known = await record();
    const { apiKey: lost, ...rest } = known;
    const fresh = await provision(url, rest, localOwner);
    expect(fresh).not.toBe(lost);
    expect((await ask(url, fresh)).status).toBe(200);
    expect((await ask(url, lost)).status).toBe(401);
    expect(await provision(url, { ...rest, apiKey: fresh }, localOwner)).toBe(fresh);
    await expect(provision(url, { ...rest, password: 'Wr0ngPassword' }, localOwner)).rejects.toThrow(
      'is not the one that Sluice keeps',
    );
    await writeFile(join(place.home, 'n8n/default.json'), JSON.stringify({ ...rest, apiKey: fresh }));
  });

  test('a version that does not run is not mistaken for the running one', async () => {
    expect(await n8n('up', '--version', '2.0.0')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('n8n 2.41.1 is running. Run `sluice n8n down` first') as string,
    });
  });

  test('is gone after `n8n down`, which may be repeated', async () => {
    const group = await n8nPid();
    expect(await n8n('down')).toMatchObject({ code: 0, stderr: expect.stringContaining('has stopped') as string });
    await expect.poll(() => isEmpty(group)).toBe(true);
    expect(await n8n('down')).toMatchObject({ code: 0, stderr: expect.stringContaining('was not running') as string });
    // The gateway has noticed that n8n stopped, and says how to start it.
    await expect
      .poll(() => call(REPORT, {}))
      .toMatchObject({
        code: 1,
        stderr: expect.stringContaining('`sluice n8n up` starts it') as string,
      });
    expect(await tools()).toContain(SUM);
    expect(await n8n('status')).toMatchObject({ code: 3 });
  });

  test.each([
    [['n8n'], 2, 'say up, down, status, logs, hook, run, table list,'],
    [['n8n', 'sideways'], 2, ', not sideways'],
    [['n8n', 'up', '--port', 'x'], 2, '--port must be a number'],
    [['n8n', 'up', '--version', 'latest'], 1, 'latest is not an n8n version'],
    [['n8n', 'status', '--name', '../x'], 1, 'cannot be called ../x'],
    [['n8n', 'logs', '--name', 'other'], 0, 'There is no log yet'],
  ])('sluice %j', async (args, code, said) => {
    expect(await place.run(args, { env })).toMatchObject({ code, stderr: expect.stringContaining(said) as string });
  });

  test('its configuration is checked', async () => {
    const file = join(place.project, 'sluice.json');
    await writeFile(file, JSON.stringify({ n8n: { default: { local: { version: 'newest' } } } }));
    const { code, stderr } = await n8n('up');
    await rm(file);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('n8n.default.local.version') as string,
    });
  });
});
