/** `sluice validate`, and the validator of a gateway without an n8n, as shipped. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogueIsMissing } from '../support/catalogue.ts';
import { connectV2 } from '../integration/harness.ts';
import { changed, flow, node } from '../validation/case.ts';
import type { Place } from '../support/command-line.ts';
import { ask, freshMachine, LONG, serving } from '../support/node-tour.ts';

interface Report {
  file: string;
  valid: boolean;
  findings: { rule: string; severity: string; node: string | null; path: string; line: number; message: string }[];
}

const sound = flow(
  [node('Start', 'manualTrigger', 1), node('Fetch', 'httpRequest', 4.2, { url: 'https://example.com' })],
  ['Start -> Fetch'],
);
const faulty = changed(sound, '/nodes/1/parameters/method', 'FETCH');
const fixable = changed(changed(sound, '/nodes/1/parameters/notes', 'lost'), '/nodes/1/notes', 'kept');

describe.skipIf(catalogueIsMissing)('sluice validate', () => {
  let place: Place;
  let env: Record<string, string>;

  beforeAll(async () => {
    ({ place, env } = await freshMachine());
    const files = { 'sound.json': sound, 'faulty.json': faulty, 'fixable.json': fixable };
    for (const [name, workflow] of Object.entries(files)) {
      await writeFile(join(place.project, name), `${JSON.stringify(workflow, null, 2)}\n`);
    }
  }, LONG);
  afterAll(() => place?.[Symbol.asyncDispose]());

  const run = (args: string[], input?: string) =>
    place.run(['validate', ...args], { env, cwd: place.project, ...(input !== undefined && { input }) });

  test(
    'builds the catalogue of nodes at first use, and finds nothing in a valid workflow',
    async () => {
      const first = await run(['sound.json']);
      expect([first.code, first.stdout]).toEqual([0, '']);
      expect(first.stderr).toMatch(/Node catalogue: .*\n1 file checked: no errors/s);
    },
    LONG,
  );

  test(
    'checks an export as it will be saved, with positions in the file',
    async () => {
      const exported = { id: 'x', meta: {}, versionId: 'v', tags: [{ id: 't', name: 'shop' }], ...(sound as object) };
      const good = await run(['-', '--purpose', 'save', '--json'], JSON.stringify(exported));
      expect([good.code, (JSON.parse(good.stdout) as Report).valid]).toEqual([0, true]);
      const bad = await run(
        ['-', '--purpose', 'save', '--json'],
        JSON.stringify({ conections: {}, ...exported }, null, 1),
      );
      const { findings } = JSON.parse(bad.stdout) as Report;
      expect(findings.find(({ severity }) => severity === 'error')).toMatchObject({
        rule: 'unknown-workflow-key',
        path: '/conections',
        line: 2,
      });
    },
    LONG,
  );

  test(
    'tells people and programs what is wrong, and where',
    async () => {
      const [text, json, both, sarif] = await Promise.all([
        run(['faulty.json']),
        run(['faulty.json', '--json']),
        run(['faulty.json', 'sound.json', '--format', 'json']),
        run(['.', '--format', 'sarif', '--rule', 'lint=off', '--rule', 'suggestions=off']),
      ]);
      const line =
        JSON.stringify(faulty, null, 2)
          .split('\n')
          .findIndex((one) => one.includes('FETCH')) + 1;
      expect(text.code).toBe(1);
      expect(text.stdout).toMatch(new RegExp(`^  ${line}:\\d+ +error +"Fetch": .*unknown-option$`, 'm'));
      expect(text.stderr).toContain('1 file checked, 1 with errors');
      const report = JSON.parse(json.stdout) as Report;
      expect(report).toMatchObject({ valid: false, file: 'faulty.json' });
      expect(report.findings.find(({ severity }) => severity === 'error')).toMatchObject({
        rule: 'unknown-option',
        severity: 'error',
        node: 'Fetch',
        path: '/nodes/1/parameters/method',
        line,
        column: expect.any(Number) as number,
        message: expect.stringContaining('FETCH') as string,
      });
      expect([both.code, (JSON.parse(both.stdout) as Report[]).map(({ valid }) => valid)]).toEqual([1, [false, true]]);
      const log = JSON.parse(sarif.stdout) as {
        version: string;
        runs: { results: { ruleId: string; locations: object[] }[] }[];
      };
      expect(log.version).toBe('2.1.0');
      expect(log.runs[0]?.results).toMatchObject([
        {
          ruleId: 'unknown-option',
          locations: [{ physicalLocation: { artifactLocation: { uri: 'faulty.json' }, region: { startLine: line } } }],
        },
        { ruleId: 'misplaced-node-setting' },
      ]);
    },
    LONG,
  );

  test(
    'checks for a purpose, with rules switched by flags and by the file',
    async () => {
      const config = join(place.project, 'switched.yaml');
      await writeFile(config, 'validation: { rules: { unknown-option: warning } }\n');
      const [publish, off, mild, back, typo] = await Promise.all([
        run(['sound.json', '--purpose', 'publish']),
        run(['faulty.json', '--rule', 'unknown-option=off']),
        run(['faulty.json', '--config', config]),
        run(['faulty.json', '--config', config, '--rule', 'unknown-option=error']),
        run(['faulty.json', '--rule', 'unknown-opton=off']),
      ]);
      expect([publish.code, off.code, mild.code, back.code]).toEqual([1, 0, 0, 1]);
      expect(publish.stdout).toMatch(/error .*trigger/);
      expect(mild.stdout).toContain('warning');
      expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('Did you mean unknown-option?')]);
    },
    LONG,
  );

  test(
    'applies safe fixes: shows them first, then writes them, and leaves the rest of the file unchanged',
    async () => {
      const file = join(place.project, 'fixable.json');
      const before = await readFile(file, 'utf8');
      const shown = await run(['fixable.json', '--fix']);
      expect(shown.code).toBe(0);
      expect(shown.stdout).toContain('~ node "Fetch": parameters.notes removed (was "lost")');
      expect(await readFile(file, 'utf8')).toBe(before);
      const piped = await run(['-', '--write'], before);
      expect((await run(['fixable.json', '--fix', '--write'])).code).toBe(0);
      const after = await readFile(file, 'utf8');
      expect(after).toBe(before.replace(/,\n +"notes": "lost"/, ''));
      expect(piped.stdout).toBe(after);
      const likely = changed(sound, '/nodes/1/parameters/retryOnFail', true);
      await writeFile(join(place.project, 'likely.json'), JSON.stringify(likely));
      const [told, asked, typo] = await Promise.all([
        run(['likely.json', '--fix']),
        run(['likely.json', '--fix', '--also', 'misplaced-node-setting']),
        run(['likely.json', '--fix', '--also', 'misplaced-node-seting']),
      ]);
      expect(told.stdout).toContain(
        'likely fix (--also misplaced-node-setting): Move "retryOnFail" next to "parameters". ("retryOnFail" takes effect.)',
      );
      expect([told.code, asked.code, typo.code]).toEqual([1, 0, 2]);
      expect(typo.stderr).toContain('Did you mean misplaced-node-setting?');
    },
    LONG,
  );

  test(
    'answers any input, and says what to do',
    async () => {
      const [noJson, empty, list, nothing, missing, unreachable, odd] = await Promise.all([
        run(['-', '--json'], '{ "nodes": '),
        run(['-'], ''),
        run(['-', '--json'], JSON.stringify([sound, faulty])),
        run([]),
        run(['missing.json']),
        run(['--instance']),
        run(['sound.json', '--format', 'xml']),
      ]);
      expect(JSON.parse(noJson.stdout)).toMatchObject({
        valid: false,
        findings: [{ rule: 'not-a-workflow', line: 1 }],
      });
      expect([empty.code, empty.stdout]).toEqual([1, expect.stringContaining('not-a-workflow')]);
      expect((JSON.parse(list.stdout) as { at: string; valid: boolean }[]).map(({ at, valid }) => [at, valid])).toEqual(
        [
          ['/0', true],
          ['/1', false],
        ],
      );
      expect([nothing.code, missing.code, odd.code]).toEqual([2, 2, 2]);
      expect(missing.stderr).toContain('missing.json does not exist');
      expect([unreachable.code, unreachable.stderr]).toEqual([3, expect.stringContaining('no n8n is connected')]);
    },
    LONG,
  );

  test(
    'a gateway without an n8n checks workflows and nodes that are passed to it',
    async () => {
      await mkdir(place.home, { recursive: true });
      await using gateway = await serving(place, env);
      await using client = await connectV2(gateway, { era: 'modern' });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['n8n_validate_workflow', 'n8n_validate_node']),
      );
      const judged = await ask(client, 'n8n_validate_workflow', { workflow: faulty });
      expect(judged.data).toMatchObject({ valid: false, counts: { error: 1 }, catalogue: { from: 'packages' } });
      const one = await ask(client, 'n8n_validate_node', { node: sound.nodes[1] });
      expect(one.data).toMatchObject({ valid: true });
      const byId = await ask(client, 'n8n_validate_workflow', { id: 'x' });
      expect(byId).toMatchObject({ isError: true, text: expect.stringContaining('No n8n is connected') as string });
    },
    LONG,
  );
});
