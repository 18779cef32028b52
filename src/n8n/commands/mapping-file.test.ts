import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepLearned, type Learned, learnedBeyond, mappingArgument, mappingIn, readMapping } from './mapping-file.ts';

const text = `
credentials:
  - { type: slackApi, name: Bot (test), to: Bot }
  - { id: c2, to: { id: d2, name: Mail } }
workflows:
  - { name: Helper, to: { id: w9 } }
`;

describe('a mapping file', () => {
  it('becomes the argument of n8n_promote', () => {
    expect(mappingArgument(mappingIn(text, 'x'))).toEqual({
      credentials: { 'Bot (test)': 'Bot', c2: 'd2' },
      workflows: { Helper: 'w9' },
      data_tables: {},
    });
  });

  it.each([
    ['nothing to map to', 'credentials: [{ name: x }]', /map.yaml is wrong at credentials.0.to/],
    ['a hole', 'credentials: [{ name: x, to: {} }]', /wrong at credentials.0.to: needs an id or a name/],
    ['an empty target', 'workflows: [{ name: x, to: "" }]', /wrong at workflows.0.to/],
    [
      'two of the same name',
      'credentials: [{ type: slackApi, name: Bot, to: A }, { type: smtp, name: Bot, to: B }]',
      /several entries for "Bot" in credentials. Give each its id/,
    ],
  ])('is refused with %s', (_, content, message) => {
    expect(() => mappingIn(content, 'map.yaml')).toThrow(message);
  });

  const learned: Learned = [
    { kind: 'credential', type: 'slackApi', name: 'Bot (test)', id: 'c1', to: { id: 'd7', name: 'Other' } },
    { kind: 'credential', type: 'smtp', name: 'Post', id: 'c3', to: { id: 'd3', name: 'Post' } },
    { kind: 'data table', name: 'rows', id: 't1', to: { id: 't2', name: 'rows' } },
    { kind: 'workflow', name: 'Orders', id: 'w1', to: { id: 'w2', name: 'Orders' }, promoted: true },
  ];
  const post = { type: 'smtp', name: 'Post', id: 'c3', to: { id: 'd3', name: 'Post' } };
  const rows = { name: 'rows', id: 't1', to: { id: 't2', name: 'rows' } };

  it('keeps what people wrote, and adds what was learned', () => {
    expect(learnedBeyond(mappingIn(text, 'x'), learned)).toEqual([
      ['credentials', post],
      ['dataTables', rows],
    ]);
    const other = { ...learned[0], type: 'smtp' } as Learned[number];
    expect(learnedBeyond(mappingIn(text, 'x'), [other])).toHaveLength(1);
  });

  it('is written and read back, as YAML and as JSON', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-mapping-'));
    for (const name of ['map.yaml', 'map.json']) {
      const path = join(place.path, name);
      expect(await readMapping(path)).toBeUndefined();
      await keepLearned(path, []);
      expect(await readMapping(path)).toEqual({ credentials: [], workflows: [], dataTables: [] });
      await keepLearned(path, learned.slice(1));
      expect(await readMapping(path)).toEqual({ credentials: [post], workflows: [], dataTables: [rows] });
    }
    expect(JSON.parse(await readFile(join(place.path, 'map.json'), 'utf8'))).toMatchObject({ dataTables: [rows] });
  });

  it('keeps the comments of people', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-mapping-'));
    const path = join(place.path, 'map.yaml');
    const commented = `# Ask Ann before you change this.${text}  # The last one.\n`;
    await writeFile(path, commented);
    await keepLearned(path, []);
    expect(await readFile(path, 'utf8')).toBe(commented);
    await keepLearned(path, learned);
    const now = await readFile(path, 'utf8');
    expect(now).toContain('# Ask Ann');
    expect(now).toContain('# The last one.');
    expect((await readMapping(path))?.credentials).toHaveLength(3);
  });
});
