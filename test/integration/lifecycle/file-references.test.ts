import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPlace } from '../../support/command-line.ts';
import { kubeletVolume } from '../../support/kubelet-volume.ts';
import { call, eventsOf } from '../../support/plain-calls.ts';
import { odd, type Scratch, scratch } from '../../support/processes.ts';
import { send, startGateway, type TestGateway, textOf } from '../harness.ts';

const WHO = 'first-Zq8vK2-who';
const NEW_WHO = 'second-Wm3xB9-who';
const TOKEN = 'token-of-the-gateway-Rt5yU1';

let files: Scratch;
let secret: string;
beforeEach(async () => {
  files = await scratch();
  secret = join(files.directory, 'who');
  await writeFile(secret, `${WHO}\n`);
});
afterEach(() => files[Symbol.asyncDispose]());

const environment = (who: string) => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('../../fixtures/environment-server.ts', import.meta.url))],
  env: { WHO: who },
});

const config = (who = `\${file:${secret}}`) => ({ mcpServers: { told: environment(who), other: odd() } });

const rewrite = ({ home }: TestGateway, file: object) => writeFile(join(home, 'sluice.json'), JSON.stringify(file));

/** What the server got as WHO; undefined while it restarts. */
async function whoOf(url: string, tool = 'told__who', headers?: Record<string, string>): Promise<string | undefined> {
  const result = headers
    ? await send(`${url}/api/v1/mcp/invoke`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name: tool, arguments: {} }),
      }).then(({ status, text }) => (status === 200 ? text : undefined))
    : await call(url, tool).then(
        (given) => (given.isError ? undefined : textOf(given)),
        () => undefined,
      );
  return result === undefined ? undefined : /"who\\*":\\*"([^"\\]+)/.exec(result)?.[1];
}

const pidOf = async (url: string) => (JSON.parse(textOf(await call(url, 'other__pids'))) as { pid: number }).pid;

const configHealth = ({ runtime }: TestGateway) => runtime.health().find(({ name }) => name === 'configuration');

const SOON = { timeout: 10_000, interval: 30 };

test('a changed file reaches the server that uses it, and nobody else restarts', async () => {
  await using gateway = await startGateway(config());
  await using _watch = gateway.runtime.watch();
  expect(await whoOf(gateway.url)).toBe(WHO);
  const pid = await pidOf(gateway.url);

  await writeFile(secret, `${NEW_WHO}\n`);
  await expect.poll(() => whoOf(gateway.url), SOON).toBe(NEW_WHO);
  expect(await pidOf(gateway.url)).toBe(pid);
  const reloads = async () => (await eventsOf(gateway.url, 'gateway.config_reloaded')).map(({ data }) => data);
  await expect.poll(reloads, SOON).toEqual([{ added: [], changed: ['told'], removed: [], sections: ['mcpServers'] }]);

  await call(gateway.url, 'told__who', { [NEW_WHO]: WHO });
  const events = JSON.stringify(await gateway.stored({ limit: 1000 }));
  const { text } = await send(new URL('/api/v1/status', gateway.url).href);
  for (const value of [WHO, NEW_WHO]) expect(events + text).not.toContain(value);
});

test('a secret that vanishes is still used, and the status says so until it is back', async () => {
  await using gateway = await startGateway(config());
  await using _watch = gateway.runtime.watch();
  await rm(secret);
  await expect.poll(() => configHealth(gateway)?.state, SOON).toBe('failing');
  expect(configHealth(gateway)?.lastError?.message).toMatch(/the old one stays in effect: .*who does not exist/);
  expect(await whoOf(gateway.url)).toBe(WHO);
  await writeFile(secret, NEW_WHO);
  await expect.poll(() => configHealth(gateway)?.state, SOON).toBe('ready');
  await expect.poll(() => whoOf(gateway.url), SOON).toBe(NEW_WHO);
});

test('a file that the configuration names from now on is watched, too', async () => {
  await using gateway = await startGateway(config('plain'));
  await using _watch = gateway.runtime.watch();
  const later = join(files.directory, 'later');
  await rewrite(gateway, config(`\${file:${later}}`));
  await expect.poll(async () => (await eventsOf(gateway.url, 'gateway.config_rejected')).length, SOON).toBe(1);
  await writeFile(later, 'at-last');
  await expect.poll(() => whoOf(gateway.url), SOON).toBe('at-last');
  await writeFile(later, 'and-again');
  await expect.poll(() => whoOf(gateway.url), SOON).toBe('and-again');
});

test('defaults, several in one text, and paths relative to the file', async () => {
  await using place = await createPlace(config('${file:who}-${file:nope:-default}-${file:empty:-x}-$${file:who}'));
  await writeFile(join(place.project, 'who'), 'relative\r\n');
  await writeFile(join(place.project, 'empty'), '\n');
  const { stdout, stderr } = await place.run(['call', 'told__who', '{}']);
  expect(stderr).not.toContain('problem');
  expect(stdout).toContain('relative-default-x-${file:who}');
});

describe('the start says what to do', () => {
  test.each([
    ['${file:nope}', 'nope does not exist', 'Check the path'],
    ['${file:.}', 'is a directory, not a file', 'Name the file in it'],
    ['${file:empty}', '${file:empty} is empty', 'If it may be empty, write ${file:empty:-}'],
    ['${file:large}', 'large has more than 64 KB', 'holds only the secret'],
    ['${file:binary}', 'binary is not a text', 'in UTF-8'],
    ['${file:${HOME}/x}', 'holds another reference', 'Write the path itself'],
  ])('about %s', async (reference, message, fix) => {
    await using place = await createPlace(config(reference));
    await Promise.all(
      Object.entries({ empty: '', large: 'x'.repeat(70_000), binary: 'a\0b' }).map(([name, content]) =>
        writeFile(join(place.project, name), content),
      ),
    );
    const { code, stderr } = await place.run(['serve', '--port', '0']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/line \d+, mcpServers\.told\.env\.WHO\n/);
    expect(stderr).toContain(message);
    expect(stderr).toContain(fix);
  });
});

describe('whoever is not the owner of the file reads none', () => {
  test('a server added by a tool call gets the text as it is', async () => {
    await using gateway = await startGateway({ ...config(), gateway: { allowCommands: true } });
    const added = await call(gateway.url, 'gateway_add_server', {
      name: 'stranger',
      server: environment(`\${file:${secret}}`),
    });
    expect(added.isError, textOf(added)).toBeFalsy();
    await expect.poll(() => whoOf(gateway.url, 'stranger__who'), SOON).toBe(`\${file:${secret}}`);
  });

  test('nor does a blueprint', async () => {
    await using gateway = await startGateway(config());
    const definition = [
      'name: thief',
      'description: Reads a file',
      `steps: [{ id: a, tool: told__who, arguments: { x: "\${file:${secret}}" } }]`,
      `outputs: { x: "\${file:${secret}}" }`,
    ].join('\n');
    const checked = textOf(
      await call(gateway.url, 'blueprint_call', { tool: 'blueprint_validate', params: { text: definition } }),
    );
    expect(checked).not.toContain(WHO);
    expect(JSON.parse(checked)).toMatchObject({ valid: false });
  });
});

test('variables in files, as Docker and Kubernetes deliver them', async () => {
  const token = join(files.directory, 'token');
  await writeFile(token, `${TOKEN}\n`);
  await using place = await createPlace(config());
  await using gateway = await place.serve({ MCP_AUTH_TOKEN_FILE: token, LOG_LEVEL: 'debug' });
  const [, url = ''] = /(http:\S+)\/mcp/.exec(await printedBy(gateway)) ?? [];
  expect(await whoOf(url, 'told__who', { authorization: 'Bearer wrong-token-of-no-one' })).toBeUndefined();
  expect(await whoOf(url, 'told__who', { authorization: `Bearer ${TOKEN}` })).toBe(WHO);
  // A new token is in force without a restart.
  await writeFile(token, `new-${TOKEN}\n`);
  await expect.poll(() => whoOf(url, 'told__who', { authorization: `Bearer new-${TOKEN}` }), SOON).toBe(WHO);
  expect(await whoOf(url, 'told__who', { authorization: `Bearer ${TOKEN}` })).toBeUndefined();
  gateway.child.kill('SIGTERM');
  const { stdout, stderr } = await gateway.finished;
  for (const value of [TOKEN, WHO]) expect(stdout + stderr).not.toContain(value);
});

test.each([
  [{ MCP_AUTH_TOKEN_FILE: 'nope' }, /MCP_AUTH_TOKEN_FILE\n {4}names .*nope does not exist/],
  [{ N8N_API_KEY_FILE: 'nope', N8N_API_KEY: 'x' }, /N8N_API_KEY_FILE\n {4}is set together with N8N_API_KEY/],
  [{ N8N_OWNER_PASSWORD_FILE: '.' }, /N8N_OWNER_PASSWORD_FILE\n {4}names .* is a directory, not a file/],
  [{ SLUICE_STORE_FILE: 'empty' }, /SLUICE_STORE_FILE\n {4}names .*empty, which is empty/],
])('%j is refused', async (env, said) => {
  await using place = await createPlace({});
  await writeFile(join(place.project, 'empty'), '\n');
  const { code, stderr } = await place.run(['serve', '--port', '0'], { env });
  expect(code).toBe(1);
  expect(stderr).toMatch(said);
});

test('a ConfigMap and a Secret that the kubelet replaces at the same moment', async () => {
  await using place = await createPlace();
  const yaml = (names: readonly string[]) =>
    ['mcpServers:', ...names.map((name) => `  ${name}: ${JSON.stringify(environment('${file:/secrets/who}'))}`)]
      .join('\n')
      .replaceAll('/secrets/', `${files.directory}/secrets/`);
  const secrets = await kubeletVolume(join(files.directory, 'secrets'), { who: WHO });
  const map = await kubeletVolume(join(files.directory, 'config'), { 'sluice.yaml': yaml(['told']) });
  const gateway = place.start(['serve', '--port', '0', '--config', join(map.path, 'sluice.yaml')]);
  await gateway.printed('Ready:');
  const [, url = ''] = /(http:\S+)\/mcp/.exec(await printedBy(gateway)) ?? [];
  expect(await whoOf(url)).toBe(WHO);

  await Promise.all([secrets.update({ who: NEW_WHO }), map.update({ 'sluice.yaml': yaml(['told', 'more']) })]);
  await expect.poll(() => whoOf(url, 'more__who'), SOON).toBe(NEW_WHO);
  await expect.poll(() => whoOf(url), SOON).toBe(NEW_WHO);
  // Only the Secret, and then only the ConfigMap.
  await secrets.update({ who: 'third-Yb7nC4-who' });
  await expect.poll(() => whoOf(url), SOON).toBe('third-Yb7nC4-who');
  await map.update({ 'sluice.yaml': yaml(['told', 'last']) });
  await expect.poll(() => whoOf(url, 'last__who'), SOON).toBe('third-Yb7nC4-who');
  expect(await eventsOf(url, 'gateway.config_rejected')).toEqual([]);

  gateway.child.kill('SIGTERM');
  const { code, stdout, stderr } = await gateway.finished;
  expect(code).toBe(0);
  for (const value of [WHO, NEW_WHO]) expect(stdout + stderr).not.toContain(value);
  expect(await readFile(join(map.path, 'sluice.yaml'), 'utf8')).toContain('last');
});

/** Everything that it has printed so far. */
async function printedBy({ printed }: { printed(text: RegExp): Promise<void> }): Promise<string> {
  let seen = '';
  await printed({ test: (text: string) => /http:\S+\/mcp/.test((seen = text)) } as RegExp);
  return seen;
}
