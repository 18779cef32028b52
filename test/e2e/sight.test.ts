import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GatewayStatus } from '../../src/gateway/status/status.ts';
import { createPlace, type Place } from '../support/command-line.ts';

const key = 'canary-of-the-gateways-own-environment';

/** Just enough of n8n to be checked. */
async function n8nAt(port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const isKnown = request.headers['x-n8n-api-key'] === key;
    response
      .writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
      .end('{"data":[],"nextCursor":null}');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function stop(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/** The address of a place's gateway, as the command prints it. */
async function baseOf(place: Place): Promise<string> {
  const { url } = JSON.parse((await place.run(['status', '--json'])).stdout) as GatewayStatus;
  return String(url).replace('/mcp', '');
}

/** The same status by URL: starting a command for every look would take long. */
async function statusOf(base: string): Promise<GatewayStatus> {
  return (await (await fetch(`${base}/api/v1/status`)).json()) as GatewayStatus;
}

const partOf = ({ parts }: GatewayStatus, name: string) => parts.find((part) => part.name === name);

test('status, metrics and doctor show an n8n that goes away, with the reason and the next attempt', async () => {
  await using place = await createPlace({ nodes: { build: 'manual' }, bridge: { enabled: false } });
  let n8n = await n8nAt(0);
  const port = portOf(n8n);
  const url = `http://127.0.0.1:${port}`;
  // Only the gateway has them: the shell of the commands has neither.
  await using _gateway = await place.serve({ N8N_URL: url, N8N_API_KEY: key });
  const base = await baseOf(place);
  await expect.poll(async () => partOf(await statusOf(base), 'n8n default')?.state).toBe('ready');
  expect(await statusOf(base)).toMatchObject({ state: 'ok', problems: [] });
  const well = await place.run(['doctor']);
  expect(well.stdout).toMatch(
    /^ok +gateway: version \S+ runs at \S+ \(process \d+\); the checks ran there, nothing was started$/m,
  );
  expect(well.stdout).toMatch(new RegExp(`^ok +n8n default: ${url} accepts the API key`, 'm'));
  expect(well.stderr).toContain('Everything works.');
  expect(well.code).toBe(0);

  await stop(n8n);
  await place.run(['call', 'n8n_list_workflows']);
  await expect
    .poll(async () => partOf(await statusOf(base), 'n8n default'), { timeout: 10_000 })
    .toMatchObject({
      state: 'failing',
      since: expect.any(String) as string,
      lastError: { message: expect.stringContaining('ECONNREFUSED') as string },
      retryAt: expect.any(String) as string,
    });
  const status = await statusOf(base);
  expect(status.state).toBe('failed');
  expect(status.problems).toEqual([expect.stringMatching(/^n8n default: n8n \(default, .*\) cannot be reached/)]);
  expect(await (await fetch(`${base}/metrics`)).text()).toContain('sluice_part_up{part="n8n default",kind="n8n"} 0');
  const text = await place.run(['status']);
  expect(text.stdout).toMatch(/^State: failed$/m);
  expect(text.stdout).toMatch(/^n8n default +failing .*next attempt in/m);
  const ill = await place.run(['doctor']);
  expect(ill.code).toBe(1);
  expect(ill.stdout).toMatch(/^FAIL +n8n default: .*cannot be reached.*\(for \d+s/m);
  expect(ill.stderr).not.toContain('Everything works');
  expect(JSON.stringify([status, text, ill])).not.toContain(key);

  n8n = await n8nAt(port);
  await expect.poll(async () => partOf(await statusOf(base), 'n8n default')?.state, { timeout: 20_000 }).toBe('ready');
  const events = (await place.run(['events', '--type', 'n8n.*', '--json'])).stdout;
  const types = events
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event_type: string }).event_type);
  expect(types.toSorted()).toEqual(['n8n.instance_failed', 'n8n.instance_recovered']);
  await stop(n8n);
});

test('the status reports a rejected configuration, and a deleted one', async () => {
  await using place = await createPlace({});
  const file = join(place.project, 'sluice.json');
  await using gateway = await place.serve();
  const base = await baseOf(place);
  const configuration = async () => partOf(await statusOf(base), 'configuration');

  await writeFile(file, '{ "server": { "prot": 1 } }');
  await gateway.printed('stays in effect');
  expect(await configuration()).toMatchObject({
    state: 'failing',
    lastError: { message: expect.stringMatching(/the old one stays in effect: .*server\.prot/) as string },
  });
  const doctor = await place.run(['doctor']);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(/^FAIL +configuration: .*server\.prot/m);

  await rm(file);
  await gateway.printed(`${file}: does not exist`);
  expect((await configuration())?.lastError?.message).toContain(`${file}: does not exist`);

  await writeFile(file, '{}');
  await expect.poll(async () => (await configuration())?.state).toBe('ready');
});

/** Our own disk, if we may make one. */
function mountSmall(directory: string): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync(join('/bin', 'mount'), ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', directory], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('status and doctor show a full disk', async ({ skip }) => {
  await using place = await createPlace({});
  if (!mountSmall(place.home)) skip('No disk can be mounted here.');
  try {
    await using _gateway = await place.serve();
    const base = await baseOf(place);
    const file = join(place.home, 'filler');
    await writeFile(file, Buffer.alloc(2 * 1024 * 1024)).catch(() => {});
    // The gateway notices it when it has something to store.
    const body = JSON.stringify({ name: 'gateway_status' });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${base}/api/v1/mcp/invoke`, { method: 'POST', headers, body });
    await expect
      .poll(async () => partOf(await statusOf(base), 'store'), { timeout: 20_000 })
      .toMatchObject({ state: 'failing', lastError: { message: expect.stringContaining('full') as string } });
    const { code, stdout } = await place.run(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL +store: .*full/m);
    await rm(file);
    // It can write again; a disk this small always has little space.
    await expect.poll(async () => partOf(await statusOf(base), 'store')?.state).toBe('degraded');
  } finally {
    execFileSync(join('/bin', 'umount'), ['-l', place.home]);
  }
});
