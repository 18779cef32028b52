import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, symlink, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fact } from '../../kernel/facts.ts';
import { watchSharedFile } from './shared-file.ts';
import { parseSharedTools, sharedToolsSchema } from './shared-tools.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-shared-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const workflow = (id: string, more = {}) => ({ id, name: `Workflow ${id}`, tools: [{ name: 'calculator' }], ...more });
const text = (...workflows: unknown[]) => JSON.stringify({ version: 1, workflows });

function watching(path: string, lacks?: string) {
  const told: (readonly string[] | undefined)[] = [];
  const facts: Fact[] = [];
  const file = watchSharedFile({
    path,
    events: { record: (fact) => void facts.push(fact) },
    lacks: async () => lacks,
    told: (instance, workflows) => void told.push(instance === 'default' ? workflows : [instance]),
  });
  return { told, facts, file, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() };
}

describe('the shared file', () => {
  test('is n8n-tools.json in a directory, even if it is created later', async () => {
    await using shared = watching(directory);
    const file = join(directory, 'n8n-tools.json');
    await expect.poll(() => shared.file.state()).toMatchObject({ file });
    writeFileSync(file, text(workflow('a')));
    await expect.poll(() => shared.file.state()).toMatchObject({ state: 'read', workflows: 1, tools: 1 });
    expect(shared.told).toEqual([undefined]);
    expect(shared.facts).toEqual([{ type: 'bridge.file_accepted', file, workflows: 1, tools: 1 }]);
  });

  test('may still have its former name, until there is one of the new name', async () => {
    writeFileSync(join(directory, 'tools.json'), text(workflow('a')));
    await using shared = watching(directory);
    await expect.poll(() => shared.file.state()).toMatchObject({ state: 'read', file: join(directory, 'tools.json') });
    writeFileSync(join(directory, 'n8n-tools.json'), text(workflow('a'), workflow('b')));
    await expect
      .poll(() => shared.file.state())
      .toMatchObject({ file: join(directory, 'n8n-tools.json'), workflows: 2 });
  });

  test('may be a list of tools, and a change of it concerns everything', async () => {
    const path = join(directory, 'n8n-tools.json');
    writeFileSync(path, JSON.stringify([{ name: 'calculator' }, { name: 'search' }]));
    await using shared = watching(directory, 'Set N8N_API_KEY.');
    await expect.poll(() => shared.file.state()).toMatchObject({ state: 'read', workflows: 0, tools: 2 });
    await expect.poll(() => shared.facts).toMatchObject([{ tools: 2, lacks: 'Set N8N_API_KEY.' }]);
    writeFileSync(path, JSON.stringify([{ name: 'calculator' }]));
    await expect.poll(() => shared.told).toEqual([undefined, undefined]);
  });

  test('reports changed, new and removed workflows', async () => {
    const path = join(directory, 'own.json');
    writeFileSync(path, text(workflow('a'), workflow('b'), workflow('c')));
    await using shared = watching(path);
    await expect.poll(() => shared.told).toEqual([undefined]);
    writeFileSync(`${path}.new`, text(workflow('a'), workflow('b', { versionId: 'v2' }), workflow('d')));
    await rename(`${path}.new`, path);
    await expect.poll(() => shared.told).toEqual([undefined, ['b', 'd', 'c']]);
  });

  test('if invalid, is reported, and its last valid content stays', async () => {
    const path = join(directory, 'own.json');
    writeFileSync(path, text(workflow('a')));
    await using shared = watching(path);
    await expect.poll(() => shared.told).toHaveLength(1);
    writeFileSync(path, '{"version":1,"workflows":[{"id":1}]}');
    await expect.poll(() => shared.file.state()).toMatchObject({ state: 'rejected', keeping: 1 });
    expect(shared.file.content()?.workflows.map(({ id }) => id)).toEqual(['a']);
    expect(shared.facts.at(-1)).toMatchObject({
      type: 'bridge.file_rejected',
      reason: expect.stringMatching(/^workflows\.0\.id: /),
    });
    writeFileSync(path, text(workflow('a', { name: 'again' })));
    await expect.poll(() => shared.told.at(-1)).toEqual(['a']);
  });

  test('if deleted, keeps its last content in use', async () => {
    const path = join(directory, 'own.json');
    writeFileSync(path, text(workflow('a')));
    await using shared = watching(path);
    await expect.poll(() => shared.told).toHaveLength(1);
    await rm(path);
    await expect.poll(() => shared.file.state().state).toBe('absent');
    expect(shared.file.content()?.workflows).toHaveLength(1);
    expect(shared.told).toHaveLength(1);
  });
});

describe('what else may lie in its place', () => {
  const lay: [string, string, (path: string) => Promise<unknown>][] = [
    ['a pipe that nobody writes to', 'it is not a regular file', async (path) => execFileSync('mkfifo', [path])],
    ['a link to an endless device', 'it is not a regular file', (path) => symlink('/dev/zero', path)],
    ['a directory', 'it is not a regular file', (path) => mkdir(path)],
    [
      'a huge file',
      'it is larger than 32 MB',
      async (path) => {
        writeFileSync(path, '');
        await truncate(path, 100 * 1024 * 1024);
      },
    ],
    ['a link to a file of the system', 'it is not JSON', (path) => symlink('/etc/passwd', path)],
    ['half of a file', 'it is not JSON', async (path) => writeFileSync(path, text(workflow('a')).slice(0, 40))],
  ];
  test.each(lay)('%s is refused without its content, and replaced by a good file', async (_, reason, put) => {
    const path = join(directory, 'n8n-tools.json');
    await put(path);
    await using shared = watching(directory);
    await expect.poll(() => shared.file.state()).toMatchObject({ state: 'rejected', keeping: 0 });
    const { facts } = shared;
    expect(facts).toMatchObject([{ type: 'bridge.file_rejected', reason: expect.stringMatching(`^${reason}`) }]);
    expect(JSON.stringify(facts)).not.toContain('root');
    writeFileSync(`${path}.new`, text(workflow('a')));
    await rm(path, { recursive: true });
    await rename(`${path}.new`, path);
    await expect.poll(() => shared.file.state()).toMatchObject({ state: 'read' });
  });

  test.skipIf(process.getuid?.() === 0)('a directory that may not be opened is not a missing file', async () => {
    await chmod(directory, 0o000);
    await using shared = watching(directory);
    await expect.poll(() => shared.facts).toMatchObject([{ reason: expect.stringContaining('EACCES') }]);
    await chmod(directory, 0o700);
  });

  test('a directory that vanishes and comes back is read again', async () => {
    const within = join(directory, 'tools');
    await mkdir(within);
    writeFileSync(join(within, 'n8n-tools.json'), text(workflow('a')));
    await using shared = watching(within);
    await expect.poll(() => shared.file.state().state).toBe('read');
    await rm(within, { recursive: true });
    await expect.poll(() => shared.file.state().state).toBe('absent');
    expect(shared.file.content()?.workflows).toHaveLength(1);
    await mkdir(within);
    writeFileSync(join(within, 'n8n-tools.json'), text(workflow('a'), workflow('b')));
    await expect.poll(() => shared.file.state()).toMatchObject({ state: 'read', workflows: 2 });
  });
});

describe('its content', () => {
  test.each([
    ['', 'it is not JSON'],
    ['5', 'the whole'],
    [`{"version":1,"workflows":[],"more":${'['.repeat(500)}${']'.repeat(500)}}`, 'nested too deeply'],
    [`[${Array.from({ length: 1001 }, () => '{"name":"a"}').join()}]`, 'tools'],
    [JSON.stringify([{ name: '😀'.repeat(200) }]), 'tools.0.name'],
    ['{"version":1}', 'workflows'],
    ['[{"description":"no name"}]', 'tools.0.name'],
    ['[5]', 'tools.0'],
    ['{"tools":[{"name":"a","inputSchema":"no"}]}', 'tools.0.inputSchema'],
    ['{"workflows":[]}', 'version'],
    ['{"version":2,"workflows":[]}', 'version'],
    [text(workflow('a'), workflow('a')), 'same id'],
    [text({ ...workflow('a'), tools: [{}] }), 'workflows.0.tools.0.name'],
  ])('%s is refused', (given, reason) => {
    expect(() => parseSharedTools(given)).toThrow(reason);
  });

  test.each([
    ['a list', (tools: unknown[]) => tools],
    ['as tools/list returns it', (tools: unknown[]) => ({ tools })],
    ['beside workflows', (tools: unknown[]) => ({ version: 1, workflows: [], tools })],
  ])('may be tools alone: %s', (_, form) => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const tools = [
      { name: 'a', inputSchema: schema },
      { name: 'b', schema, workflowId: 'w1', description: null },
      { name: 'c', parameters: schema, workflow: 'Support agent' },
      { name: 'd', inputSchema: schema, workflowId: 'w1' },
    ];
    expect(parseSharedTools(JSON.stringify(form(tools)))).toMatchObject({
      instance: 'default',
      workflows: [],
      tools: [
        { name: 'a', inputSchema: schema },
        { name: 'b', inputSchema: schema, workflow: 'w1' },
        { name: 'c', inputSchema: schema, workflow: 'Support agent' },
        { name: 'd', inputSchema: schema, workflow: 'w1' },
      ],
    });
  });

  test('may begin with a byte order mark', () => {
    expect(parseSharedTools(`\uFEFF${text(workflow('a'))}`).workflows).toHaveLength(1);
  });

  test('may have unknown keys, and keys such as __proto__', () => {
    const given = '{"version":1,"more":1,"workflows":[{"id":"__proto__","name":"x","tools":[{"name":"constructor"}]}]}';
    expect(parseSharedTools(given).workflows[0]).toMatchObject({ id: '__proto__', tags: [] });
  });

  test('is described by the JSON Schema in the documentation', async () => {
    const published = await readFile(new URL('../../../docs/n8n-tools.schema.json', import.meta.url), 'utf8');
    expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(sharedToolsSchema())));
  });
});
