import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createPlace, type Place, reference } from '../support/command-line.ts';

const INSPECTOR = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);

/** A client we did not write, with our header. */
async function inspect({ user }: Place, url: string, header: string, ...rest: string[]) {
  const args = [INSPECTOR, '--cli', ...rest, '--header', header, '--format', 'json', url];
  const env = { PATH: process.env.PATH, HOME: user, MCP_STORAGE_DIR: join(user, 'storage') };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: user });
  return JSON.parse(stdout) as {
    result: { tools: { name: string }[]; content: { text: string }[]; isError?: boolean };
  };
}

test('a key is created, used by the Inspector, listed and revoked', async () => {
  await using place = await createPlace({ auth: { mode: 'keys' }, mcpServers: { ref: reference } });
  const made = await place.run([
    'keys',
    'create',
    '--name',
    'inspector',
    '--tools',
    'ref__echo,gateway_status',
    '--expires',
    '90d',
  ]);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^slc_[\da-f]{10}_[\w-]{43}\n$/) });
  expect(made.stderr).toContain('is shown only now');
  const key = made.stdout.trim();

  await using served = await place.serve();
  const status = JSON.parse((await place.run(['status', '--json'])).stdout) as { url: string };
  const listed = await inspect(place, status.url, `Authorization: Bearer ${key}`, '--method', 'tools/list');
  expect(listed.result.tools.map(({ name }) => name)).toEqual(['gateway_status', 'ref__echo']);
  const called = await inspect(
    place,
    status.url,
    `X-API-Key: ${key}`,
    '--method',
    'tools/call',
    '--tool-name',
    'ref__echo',
    '--tool-arg',
    'text=by key',
  );
  expect(called.result.content[0]?.text).toBe('by key');

  const keys = JSON.parse((await place.run(['keys', 'list', '--json'])).stdout) as { id: string; name: string }[];
  expect(keys).toMatchObject([{ name: 'inspector', tools: ['ref__echo', 'gateway_status'] }]);
  expect((await place.run(['keys', 'list'])).stdout).toMatch(/inspector +expires in (89|90)d/);
  expect(await place.run(['keys', 'revoke', 'inspector'])).toMatchObject({ code: 0 });
  const ping = () => fetch(status.url, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: '{}' });
  await expect.poll(async () => (await ping()).status).toBe(401);

  const audit = (await place.run(['events', '--type', 'key.*', '--json'])).stdout;
  expect(audit).toContain('key.created');
  expect(audit).toContain('key.revoked');
  served.child.kill('SIGTERM');
  const { stdout, stderr } = await served.finished;
  for (const text of [audit, stdout, stderr]) expect(text).not.toContain(key.slice(15));
}, 60_000);

test('the banner and `sluice export` say that a key is needed', async () => {
  await using place = await createPlace({ mcpServers: {}, auth: { mode: 'keys' } });
  const exported = await place.run(['export', 'cursor']);
  expect(JSON.parse(exported.stdout)).toMatchObject({
    mcpServers: { sluice: { headers: { Authorization: 'Bearer YOUR_KEY' } } },
  });
  await using served = await place.serve();
  await served.printed('sluice keys create');
});

test('MCP_AUTH_TOKEN is a key', async () => {
  await using place = await createPlace({ mcpServers: {} });
  const started = place.start(['serve', '--port', '0'], { env: { MCP_AUTH_TOKEN: 'a-token-of-some-length' } });
  await started.printed('Ready:');
  const { url } = JSON.parse((await place.run(['status', '--json'])).stdout) as { url: string };
  const ping = async (headers: Record<string, string>) =>
    (
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      })
    ).status;
  expect(await ping({})).toBe(401);
  expect(await ping({ authorization: 'Bearer another-token' })).toBe(401);
  expect(await ping({ authorization: 'Bearer a-token-of-some-length' })).toBe(200);
  started.child.kill('SIGTERM');
  expect(JSON.stringify(await started.finished)).not.toContain('a-token-of-some-length');
});

test.each([
  [['keys'], 'say create, list or revoke'],
  [['keys', 'create'], 'a key needs a name'],
  [['keys', 'make', '--name', 'x'], 'say create, list or revoke'],
  [['keys', 'create', '--name', 'x', '--scopes', 'everything'], 'everything is not a scope'],
  [['keys', 'create', '--name', 'x', '--expires', 'soon'], '--expires must be 90d'],
  [['keys', 'create', '--name', 'x', '--expires', '2001-01-01'], 'is in the past'],
  [['keys', 'create', '--name', 'x', '--rate', 'often'], '--rate looks like 100/min'],
  [['keys', 'create', '--name', 'x', '--confirm', 'maybe'], '--confirm must be never, destructive or writes'],
  [['keys', 'create', '--name', 'x', '--tools', ','], '--tools names no tool'],
  [['keys', 'revoke', 'nobody'], 'No key nobody'],
])('sluice %j says what is wrong, and makes no key', async (args, why) => {
  await using place = await createPlace();
  const { code, stderr } = await place.run(args);
  expect(code).not.toBe(0);
  expect(stderr).toContain(why);
  expect((await place.run(['keys', 'list'])).stderr).toContain('no keys yet');
});

test('serves the network with keys, and not without', async () => {
  await using place = await createPlace({ mcpServers: {} });
  const refused = await place.run(['serve', '--port', '0', '--host', '0.0.0.0']);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Refusing to serve 0.0.0.0') });
  expect(refused.stderr).toContain('Set MCP_AUTH_TOKEN');
  await using open = await createPlace({ mcpServers: {}, auth: { mode: 'keys' } });
  const started = open.start(['serve', '--port', '0', '--host', '0.0.0.0']);
  await started.printed('Ready:');
  started.child.kill('SIGTERM');
  expect(await started.finished).toMatchObject({ code: 0 });
});
