import { writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
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

function watching(path: string) {
  const told: (readonly string[] | undefined)[] = [];
  const facts: Fact[] = [];
  const file = watchSharedFile({
    path,
    events: { record: (fact) => void facts.push(fact) },
    told: (instance, workflows) => void told.push(instance === 'default' ? workflows : [instance]),
  });
  return { told, facts, file, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() };
}

describe('the shared file', () => {
  test('is n8n-tools.json in a directory, even if it is created later', async () => {
    await using shared = watching(directory);
    await expect.poll(() => shared.file.state()).toMatchObject({ file: join(directory, 'n8n-tools.json') });
    writeFileSync(join(directory, 'n8n-tools.json'), text(workflow('a')));
    await expect.poll(() => shared.file.state()).toMatchObject({ state: 'read', workflows: 1, tools: 1 });
    expect(shared.told).toEqual([undefined]);
    expect(shared.facts).toMatchObject([{ type: 'bridge.file_accepted', workflows: 1 }]);
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
    await using shared = watching(directory);
    await expect.poll(() => shared.file.state()).toMatchObject({ state: 'read', workflows: 0, tools: 2 });
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

describe('its content', () => {
  test.each([
    ['', 'it is not JSON'],
    ['5', 'the whole'],
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
      { name: 'b', schema, workflowId: 'w1' },
      { name: 'c', parameters: schema, workflow: 'Support agent' },
    ];
    expect(parseSharedTools(JSON.stringify(form(tools)))).toMatchObject({
      instance: 'default',
      workflows: [],
      tools: [
        { name: 'a', inputSchema: schema },
        { name: 'b', inputSchema: schema, workflow: 'w1' },
        { name: 'c', inputSchema: schema, workflow: 'Support agent' },
      ],
    });
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
