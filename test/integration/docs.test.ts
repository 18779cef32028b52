import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { entryKeys } from '../../src/gateway/config/server-entry.ts';
import { createTerminal } from '../../src/host/terminal.ts';
import type { Action } from '../../src/kernel/command.ts';
import { commands, placeOf } from '../../src/place.ts';
import type { Scheme } from '../../src/host/config/scheme.ts';
import { load as loadConfig, configSchema } from '../../src/runtime.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sluice = join(root, 'bin/sluice.js');

const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'bench/NOTES.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
].sort();

const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly content: string;
}

function blocksOf(page: string): Block[] {
  const text = textOf(page);
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(({ 1: language = '', 2: content = '', index }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    content,
  }));
}

const blocks = pages.flatMap(blocksOf);
const named = (language: string) =>
  blocks
    .filter((block) => block.language === language)
    .map((block) => [`${block.page}:${block.line}`, block.content] as const);

/** A value for every variable that a text mentions. */
function dummies(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/\$\{(\w+)/g)].map(({ 1: name = '' }) => [name, `dummy-${name}`]));
}

/** Answers every reference to Vault. */
const vault: Scheme = {
  section: ['modules', 'vault'],
  load: async () => async (names) => ({
    from: '',
    refreshMs: 60_000,
    values: new Map(names.map((name) => [name, { value: 'dummy' }])),
  }),
};

async function run(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [sluice, ...args]);
  return stdout.trim();
}

/** The words of each `sluice …` in a script or a workflow of a code host. */
function callsIn(content: string): string[][] {
  const lines = content.replaceAll(/\\\n\s*/g, '').split('\n');
  return lines.flatMap((line) => {
    const [, words = ''] =
      /^(?:\s*(?:- )?(?:run|entry): )?(?:.*\| xargs (?:-\w+ )*)?sluice ([^#|>&;`]*)/.exec(line) ?? [];
    return words === '' ? [] : [words.trim().split(/\s+/)];
  });
}

const documented = [...named('sh'), ...named('yml')].flatMap(([place, content]) =>
  callsIn(content).map((words) => [`${place}: sluice ${words.join(' ')}`, words] as const),
);

/** The options of a documented command. Undefined if there is no such command. */
async function knownOptions(words: readonly string[]): Promise<Set<string> | undefined> {
  const [name = '', ...rest] = words;
  const here = placeOf({}, createTerminal({}));
  const command = await commands.get(name)?.load(here);
  const verbs = command && 'verbs' in command ? new Map(Object.entries(command.verbs)) : new Map<string, Action>();
  for (const [more, { load }] of commands) {
    const verb = more.startsWith(`${name} `) ? await load(here) : undefined;
    if (verb && !('verbs' in verb)) verbs.set(more.slice(name.length + 1), verb);
  }
  const verb = [3, 2, 1].map((count) => rest.slice(0, count).join(' ')).find((one) => verbs.has(one));
  const byDefault = command && 'verbs' in command ? command.byDefault : undefined;
  const action = command && !('verbs' in command) ? command : verbs.get(verb ?? byDefault ?? '');
  return action && new Set(['help', ...Object.keys(action.options ?? {})]);
}

describe('examples', () => {
  it('name commands and options that exist', async () => {
    const wrong: string[] = [];
    for (const [place, words] of documented.filter(([, [first = '']]) => /^[a-z]/.test(first))) {
      const known = await knownOptions(words);
      const given = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=', 1)[0] ?? '');
      if (given.some((option) => !known?.has(option)) || !known) wrong.push(place);
    }
    expect(documented.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  it('docs/runbook.md names such commands in its text, too', async () => {
    const inline = [...textOf('docs/runbook.md').matchAll(/`sluice ([^`]+)`/g)].map(({ 1: words = '' }) =>
      words.split(' '),
    );
    const known = await Promise.all(inline.map(knownOptions));
    expect(inline.length).toBeGreaterThan(15);
    expect(inline.filter((_, index) => !known[index]).map((words) => words.join(' '))).toEqual([]);
    const options = inline.flatMap((words, index) =>
      words.filter((word) => word.startsWith('--') && !known[index]?.has(word.slice(2))),
    );
    expect(options).toEqual([]);
  });

  it.each(named('yaml'))('%s is a configuration that loads', async (_, content) => {
    const home = await mkdtemp(join(tmpdir(), 'sluice-docs-'));
    try {
      await writeFile(join(home, 'sluice.yaml'), content);
      const { file } = await loadConfig({ cwd: home, home, env: dummies(content), schemes: { vault } });
      expect(file).toBe(join(home, 'sluice.yaml'));
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });

  it.each(named('json'))('%s is JSON', (_, content) => {
    expect(() => JSON.parse(content) as unknown).not.toThrow();
  });

  it.each(named('yml'))('%s is YAML', (_, content) => {
    expect([...parseAllDocuments(content)].flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('call npm scripts that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const called = pages.flatMap((page) => [...textOf(page).matchAll(/\bnpm run ([\w:]+)/g)].map(([, name]) => name));
    expect(called.length).toBeGreaterThan(0);
    expect(called.filter((name) => !Object.hasOwn(scripts, name as string))).toEqual([]);
  });
});

/** The anchor that GitHub derives from a heading. */
function anchorOf(heading: string): string {
  return heading
    .replaceAll('`', '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function anchorsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(({ 1: heading = '' }) => anchorOf(heading));
}

it.each(pages)('%s has no dead link', (page) => {
  const targets = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(({ 1: target = '' }) => target);
  const dead = targets
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : relative(root, join(root, dirname(page), path));
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
  expect(dead).toEqual([]);
});

it.each(['src', 'test', 'bench'])('CONTRIBUTING.md shows every folder of %s', (folder) => {
  const inside = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const shown = new Set([...textOf('CONTRIBUTING.md').matchAll(/^([\w/]+) {2,}/gm)].map(({ 1: path = '' }) => path));
  expect(inside.map(({ name }) => `${folder}/${name}`).filter((path) => !shown.has(path))).toEqual([]);
});

it('docs/gateway.md has every key of a server, docs/configuration.md every section of the file', () => {
  const mentions = (page: string, key: string) => new RegExp(`\`(?:\\w+\\.)*${key}\\b`).test(textOf(page));
  expect([...entryKeys].filter((key) => !mentions('docs/gateway.md', key))).toEqual([]);
  const sections = Object.entries(configSchema.shape).map(([key]) => key);
  const headings = anchorsOf('docs/configuration.md');
  const page = 'docs/configuration.md';
  expect(sections.filter((key) => !headings.includes(key.toLowerCase()) && !mentions(page, key))).toEqual([]);
});

it('docs/cli.md describes every command like its --help', async () => {
  const overview = await run('--help');
  const commands = [...overview.matchAll(/^ {2}(\w+) /gm)].map(({ 1: name = '' }) => name);
  const described = [...textOf('docs/cli.md').matchAll(/^## (\w+)$/gm)].map(({ 1: name = '' }) => name);
  expect(described).toEqual(commands);
  const shown = blocksOf('docs/cli.md').map(({ content }) => content.trim());
  for (const help of await Promise.all(commands.map((command) => run(command, '--help'))))
    expect(shown).toContain(help);
});
