import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mappingArgument, mappingIn, readMapping, withLearned, writeMapping } from './mapping-file.ts';

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

  it('keeps what people wrote, and adds what was learned', () => {
    const next = withLearned(mappingIn(text, 'x'), [
      { kind: 'credential', type: 'slackApi', name: 'Bot (test)', id: 'c1', to: { id: 'd7', name: 'Other' } },
      { kind: 'credential', type: 'smtp', name: 'Post', id: 'c3', to: { id: 'd3', name: 'Post' } },
      { kind: 'data table', name: 'rows', id: 't1', to: { id: 't2', name: 'rows' } },
      { kind: 'workflow', name: 'Orders', id: 'w1', to: { id: 'w2', name: 'Orders' }, promoted: true },
    ]);
    expect(next.credentials).toHaveLength(3);
    expect(next.credentials.at(-1)).toEqual({ type: 'smtp', name: 'Post', id: 'c3', to: { id: 'd3', name: 'Post' } });
    expect(next.dataTables).toEqual([{ name: 'rows', id: 't1', to: { id: 't2', name: 'rows' } }]);
    expect(next.workflows).toHaveLength(1);
  });

  it('is written and read back, as YAML and as JSON', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-mapping-'));
    for (const name of ['map.yaml', 'map.json']) {
      const path = join(place.path, name);
      expect(await readMapping(path)).toEqual({ credentials: [], workflows: [], dataTables: [] });
      await writeMapping(path, mappingIn(text, 'x'));
      expect(await readMapping(path)).toEqual(mappingIn(text, 'x'));
    }
    expect(JSON.parse(await readFile(join(place.path, 'map.json'), 'utf8'))).toMatchObject({
      workflows: [{ name: 'Helper' }],
    });
    await writeFile(join(place.path, 'bad.yaml'), 'credentials: [{ name: x }]');
    await expect(readMapping(join(place.path, 'bad.yaml'))).rejects.toThrow(/bad.yaml is wrong at credentials.0.to/);
  });
});
