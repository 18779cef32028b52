import { chmod, mkdir, mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parts } from '../../src/parts.ts';
import { createPlace, type Place } from '../support/command-line.ts';
import { call } from '../support/plain-calls.ts';
import { serve } from '../support/serve-process.ts';

const isRoot = process.getuid?.() === 0;
const factsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => JSON.stringify({ text: `Fact number ${at} of many.` })).join('\n');
const textsIn = (jsonl: string) =>
  jsonl
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text);

describe('sluice memory, with a gateway', () => {
  let place: Place;
  let gateway: AsyncDisposable;
  const at = (...names: string[]) => join(place.project, ...names);

  beforeAll(async () => {
    place = await createPlace({});
    gateway = await place.serve();
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  it('imports a folder, and again adds nothing', async () => {
    await mkdir(at('notes', '.git'), { recursive: true });
    await mkdir(at('notes', 'deep'));
    await writeFile(at('notes', '.git', 'x.md'), 'hidden');
    await writeFile(
      at('notes', 'ada.md'),
      '---\ntags: [ada]\n---\n# Ada\n\n## Drinks\nLikes oolong tea.\n## Work\nAt Acme.\n',
    );
    await writeFile(at('notes', 'deep', 'list.json'), '["The boiler was serviced.", 7]');
    await writeFile(at('notes', 'empty.md'), '');
    await writeFile(at('notes', 'picture.png'), Buffer.from([137, 80]));
    await writeFile(at('notes', 'latin1.md'), Buffer.from('gut\nÄrger', 'latin1'));
    const first = await place.run(['memory', 'import', 'notes', '--namespace', 'notes']);
    expect(first.code).toBe(1);
    expect(first.stderr).toContain('Imported 3 memories from 4 files. 1 other file left out. 2 problems.');
    expect(first.stderr).toContain(`${at('notes', 'latin1.md')}: It is not UTF-8: line 2`);
    expect(first.stderr).toContain(`${at('notes', 'deep', 'list.json')}:2: It is neither a text nor an object.`);

    const again = await place.run(['memory', 'import', 'notes', '--namespace', 'notes', '--json']);
    expect(again.code).toBe(1);
    expect(JSON.parse(again.stdout)).toMatchObject({ imported: 0, known: 3, broken: 2 });

    const found = await place.run(['memory', 'search', 'oolong', '--tag', 'ada', '--namespace', 'notes']);
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('Likes oolong tea.') });
    const json = await place.run(['memory', 'search', 'boiler', '--json', '--limit', '1']);
    expect(JSON.parse(json.stdout)).toMatchObject([{ text: 'The boiler was serviced.', namespace: 'notes' }]);
  });

  it('exports to stdout, a file and a folder, for this user only', async () => {
    const printed = await place.run(['memory', 'export', '--namespace', 'notes']);
    expect(textsIn(printed.stdout)).toHaveLength(3);
    expect(printed.stderr).toContain('Exported 3 memories of 1 namespace.');
    await writeFile(at('old.jsonl'), 'old');
    expect((await place.run(['memory', 'export', '--namespace', 'notes', '--out', 'old.jsonl'])).code).toBe(0);
    expect(textsIn(await readFile(at('old.jsonl'), 'utf8'))).toEqual(textsIn(printed.stdout));
    expect((await stat(at('old.jsonl'))).mode & 0o777).toBe(0o600);
    expect((await place.run(['memory', 'export', '--format', 'markdown', '--out', 'out/'])).code).toBe(0);
    expect(await readdir(at('out'))).toEqual(['notes.md']);
    expect(await readFile(at('out', 'notes.md'), 'utf8')).toContain('\nThe boiler was serviced.\n\n');
    const back = await place.run(['memory', 'import', 'out', 'old.jsonl']);
    expect(back).toMatchObject({ code: 0, stderr: expect.stringContaining('6 were there already.') });
    expect((await readdir(place.project)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('names the first broken lines of a large file, and imports the others', async () => {
    const huge = JSON.stringify({ text: 'x'.repeat(20_000_000) });
    const broken = Array.from({ length: 30 }, () => '{"text":').join('\n');
    await writeFile(at('large.jsonl'), `${huge}\n"One good line."\n${broken}\n`);
    const done = await place.run(['memory', 'import', 'large.jsonl', '--namespace', 'large']);
    expect(done.code).toBe(1);
    expect(done.stderr).toContain(`${at('large.jsonl')}:1: The text has 20000000 characters`);
    expect(done.stderr).toContain(`${at('large.jsonl')}:21: It is not JSON`);
    expect(done.stderr).not.toContain(`${at('large.jsonl')}:22:`);
    expect(done.stderr).toContain('And 11 more problems');
    expect(done.stderr).toContain('Imported 1 memory from 1 file. 31 problems.');
    // Pieces of at most 50,000 characters.
    await writeFile(at('large.md'), 'Many words. '.repeat(1_700_000));
    const dry = await place.run(['memory', 'import', 'large.md', '--dry-run', '--json']);
    expect(dry.code).toBe(0);
    expect((JSON.parse(dry.stdout) as { memories: number }).memories).toBeGreaterThan(400);
  });

  it('says what a file is not, and imports nothing of it', async () => {
    await writeFile(at('page.md'), '# Not JSON\n');
    await writeFile(at('nothing.jsonl'), '\n\n');
    for (const [format, reason] of [
      ['json', 'This is not JSON'],
      ['jsonl', 'This is not JSON Lines'],
    ] as const) {
      const done = await place.run(['memory', 'import', 'page.md', '--format', format]);
      expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
      expect(done.stderr).toContain('There is nothing to import');
    }
    const empty = await place.run(['memory', 'import', 'nothing.jsonl']);
    expect(empty).toMatchObject({ code: 0, stderr: expect.stringContaining('There is nothing to import in 1 file.') });
  });

  it.skipIf(isRoot)('goes on after a file that may not be read', async () => {
    await mkdir(at('secret'));
    await writeFile(at('secret', 'a.md'), 'Secret');
    await writeFile(at('secret', 'b.md'), 'Readable');
    await chmod(at('secret', 'a.md'), 0);
    const done = await place.run(['memory', 'import', 'secret', '--namespace', 'secret']);
    expect(done.code).toBe(1);
    expect(done.stderr).toContain('check its permissions');
    expect(done.stderr).toContain('Imported 1 memory');
  });

  it.each([
    [['import'], 2, 'an argument is missing'],
    [['import', 'nowhere.md'], 1, 'There is no such file or folder.'],
    [['import', 'sluice.json', '--format', 'xml'], 2, '--format must be auto, jsonl, markdown or json'],
    [['search', 'x', '--limit', '0'], 2, '--limit must be a number from 1 to 50'],
    [['search', 'x', '--namespace', 'nobody'], 1, 'No namespace nobody'],
    [['export', '--out', '/dev/null/x'], 1, 'Choose another place with --out'],
  ])('with %j ends with %i', async (words, code, said) => {
    expect(await place.run(['memory', ...words])).toMatchObject({ code, stderr: expect.stringContaining(said) });
  });
});

describe('sluice memory', () => {
  const hasGraph = Object.hasOwn(parts, 'graph');
  const lines = [
    { type: 'entity', name: 'Ada', entityType: 'person', observations: ['likes tea', 'works late'] },
    { type: 'entity', name: 'Acme', entityType: 'company', observations: [] },
    { type: 'relation', from: 'Ada', to: 'Acme', relationType: 'works_at' },
  ].map((line) => JSON.stringify(line));

  it('turns the lines of server-memory into memories if there is no graph', async () => {
    await using place = await createPlace(hasGraph ? { graph: false } : {});
    const done = await place.run(['memory', 'import', '-'], { input: lines.join('\n') });
    expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('The graph is off') });
    const texts = textsIn((await place.run(['memory', 'export'])).stdout);
    expect(texts.sort()).toEqual([
      'Acme (company)',
      'Ada (person): likes tea',
      'Ada (person): works late',
      'Ada works_at Acme',
    ]);
  });

  it.runIf(hasGraph)('puts the lines of server-memory into the graph, and exports them as they were', async () => {
    await using place = await createPlace({});
    const done = await place.run(['memory', 'import', '-'], { input: lines.join('\n') });
    expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('2 entities and 1 relation') });
    const { stdout } = await place.run(['memory', 'export']);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toEqual(lines.map((line) => JSON.parse(line) as object));
  });

  it('says that memory is off', async () => {
    await using place = await createPlace({ memory: false });
    expect(await place.run(['memory', 'search', 'x'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('memory is off'),
    });
  });

  it('has everything once after a gateway was killed in mid-import', async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'sluice-memory-'));
    await using place = await createPlace();
    const count = 4000;
    await writeFile(join(place.project, 'facts.jsonl'), factsOf(count));
    const args = ['memory', 'import', 'facts.jsonl'];
    let stored = 0;
    {
      await using gateway = await serve(directory.path, {});
      const importing = place.start(args, { env: { SLUICE_HOME: gateway.home } });
      await vi.waitFor(
        async () => {
          const { structuredContent } = await call(gateway.url, 'memory_list_namespaces');
          const { namespaces } = structuredContent as { namespaces: { memories: number }[] };
          stored = namespaces[0]?.memories ?? 0;
          expect(stored).toBeGreaterThan(0);
        },
        { timeout: 30_000, interval: 5 },
      );
      await gateway.end('SIGKILL');
      const ended = await importing.finished;
      expect(ended.code).not.toBe(0);
      expect(stored % 200).toBe(0);
    }
    await using gateway = await serve(directory.path, {});
    const again = await place.run([...args, '--json'], { env: { SLUICE_HOME: gateway.home } });
    expect(again.code).toBe(0);
    const { imported, known } = JSON.parse(again.stdout) as { imported: number; known: number };
    expect(known).toBeGreaterThanOrEqual(stored);
    expect(known % 200).toBe(0);
    expect(imported + known).toBe(count);
    const { stdout } = await place.run(['memory', 'export'], { env: { SLUICE_HOME: gateway.home } });
    expect(new Set(textsIn(stdout)).size).toBe(count);
    expect(textsIn(stdout)).toHaveLength(count);
  });
});
