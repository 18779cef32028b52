import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parts } from '../../parts.ts';
import { part } from '../part.ts';
import { ConfigError, loadConfig, type LoadOptions } from './load.ts';
import { refreshing } from './refresh.ts';
import type { NameRead, ReadNames } from './scheme.ts';

let cwd: string;
/** What the made-up service has. */
let has: Record<string, string>;
let isAway: boolean;
const asked = vi.fn<(names: readonly string[], file: object) => void>();

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'sluice-references-'));
  has = { 'app#password': 'first-secret', 'app#user': 'ana-secret' };
  isAway = false;
  asked.mockClear();
});
afterEach(() => rm(cwd, { recursive: true }));

const read: ReadNames = async (names, { file, env }) => {
  asked(names, file);
  const one = (name: string): NameRead => {
    if (isAway) return { absent: false, message: 'the safe is away', fix: 'Open it.' };
    const value = has[name];
    return value === undefined ? { absent: true, message: `no ${name}`, fix: 'Add it.' } : { value };
  };
  const values = new Map(names.map((name) => [name, one(name)]));
  return { from: JSON.stringify([file.presets, env.SAFE]), refreshMs: 60_000, values };
};

const safe = part({ references: { safe: { section: ['logLevel'], load: async () => read } } });
const write = (text: string) => writeFile(join(cwd, 'sluice.yaml'), text);
const load = (more: Partial<LoadOptions> = {}) => loadConfig({ ...parts, safe }, { cwd, home: cwd, env: {}, ...more });

async function refused(more: Partial<LoadOptions> = {}): Promise<ConfigError> {
  const error: unknown = await load(more).catch((thrown: unknown) => thrown);
  if (!(error instanceof ConfigError)) throw new Error('was not refused', { cause: error });
  return error;
}

const server = (password: string, more = '') => `mcpServers: { a: { command: x, env: { P: "${password}" }${more} } }\n`;

const envOf = (config: object) =>
  (config as { mcpServers: { a: { transport: { env: object } } } }).mcpServers.a.transport.env;

test('a reference is read and redacted; each is read once', async () => {
  await write(`${server('pre-${safe:app#password}')}toolsets: { t: { include: ["\${safe:app#password}"] } }`);
  const { config, secrets } = await load();
  expect(envOf(config)).toEqual({ P: 'pre-first-secret' });
  expect(secrets).toContain('first-secret');
  expect(asked.mock.calls.map(([names]) => names)).toEqual([['app#password']]);
});

test('a file without references asks nobody', async () => {
  await write(server('$${safe:app#password}'));
  const { config, references } = await load();
  expect(envOf(config)).toEqual({ P: '${safe:app#password}' });
  expect(references).toBeUndefined();
  expect(asked).not.toHaveBeenCalled();
});

test('the service sees the file with its variables', async () => {
  await write(`logLevel: \${LEVEL}\n${server('${safe:app#password}')}`);
  await load({ env: { LEVEL: 'warn' } });
  expect(asked.mock.calls[0]?.[1]).toMatchObject({ logLevel: 'warn' });
});

test('what is missing is reported with its line; a service that is away only once', async () => {
  await write(`${server('${safe:app#nope}')}toolsets:\n  t: { include: ["\${safe:app#no}"] }`);
  expect((await refused()).problems).toEqual([
    { path: 'mcpServers.a.env.P', line: 1, message: 'missing secret: no app#nope', fix: 'Add it.' },
    { path: 'toolsets.t.include.0', line: 3, message: 'missing secret: no app#no', fix: 'Add it.' },
  ]);
  isAway = true;
  expect((await refused()).problems).toMatchObject([{ line: 1, message: 'missing secret: the safe is away' }]);
});

test('a reference cannot say how it is read itself', async () => {
  await write('logLevel: ${safe:app#user}');
  expect((await refused()).problems).toMatchObject([
    { path: 'logLevel', line: 1, message: expect.stringContaining('logLevel says how to read it') },
  ]);
  expect(asked).not.toHaveBeenCalled();
});

test('what nobody uses is not read', async () => {
  await write(server('${safe:app#nope}', ', enabled: false'));
  await load();
  expect(asked).not.toHaveBeenCalled();
});

test('with `only`, other sections are not read, but still say where secrets are', async () => {
  await write(`${server('${safe:app#password}')}presets: {}`);
  await load({ only: ['server'] });
  expect(asked).not.toHaveBeenCalled();
  await load({ only: ['mcpServers'] });
  expect(asked.mock.calls[0]?.[1]).toHaveProperty('presets');
});

test('what is known stands in for what cannot be read, unless the settings changed', async () => {
  await write(server('${safe:app#password}'));
  const { references } = await load();
  const known = references ? [references] : [];
  isAway = true;
  const { config, references: kept } = await load({ known });
  expect(envOf(config)).toEqual({ P: 'first-secret' });
  expect(kept?.kept).toEqual(['the safe is away. Open it.']);
  await expect(load({ known, env: { SAFE: 'another' } })).rejects.toThrow('the safe is away');
  await write(server('${safe:app#user}'));
  await expect(load({ known })).rejects.toThrow('the safe is away');
});

test('a secret that was deleted is missing, whatever is known', async () => {
  await write(server('${safe:app#password}'));
  const { references } = await load();
  delete has['app#password'];
  await expect(load({ known: references ? [references] : [] })).rejects.toThrow('no app#password');
});

test('reads references again, and tells what changed and what cannot be read once', async () => {
  await write(server('${safe:app#password} ${safe:app#user}'));
  const { references } = await load();
  const told: string[] = [];
  const changed = () => told.push('changed');
  using fresh = refreshing({ changed, kept: (problems) => told.push(problems.join() || 'readable') }, 5);
  fresh.follow(references);
  const round = async (seen = asked.mock.calls.length) =>
    await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(seen + 2);
  await round();
  expect(told).toEqual([]);
  has['app#password'] = 'second';
  await expect.poll(() => told).toEqual(['changed']);
  isAway = true;
  await expect.poll(() => told).toHaveLength(2);
  await round();
  isAway = false;
  await expect.poll(() => told).toHaveLength(3);
  delete has['app#user'];
  await expect.poll(() => told).toEqual(['changed', 'the safe is away. Open it.', 'readable', 'changed']);
  await round();
  expect(told).toHaveLength(4);
});

test('stops with its owner', async () => {
  await write(server('${safe:app#password}'));
  const { references } = await load();
  {
    using fresh = refreshing({ changed() {}, kept() {} }, 1);
    fresh.follow(references);
    await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(2);
  }
  const ended = asked.mock.calls.length;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(asked.mock.calls.length).toBeLessThanOrEqual(ended + 1);
});
