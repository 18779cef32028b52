import { describe, expect, it } from 'vitest';
import type { Held } from './folder.ts';
import { formOf, hashOf } from './form.ts';
import { assertSameN8n, type Both, filesById, matched, within } from './pairs.ts';
import { afterRenames } from './rename.ts';
import { emptySide, readSide, type Side, sideText } from './side-file.ts';

const held = (name: string, settings = {}): Held => {
  const form = formOf({ name, nodes: [], connections: {}, settings }, false);
  return { form, hash: hashOf(form) };
};
const hashIn = (one: Held) => ('hash' in one ? one.hash : '');
const inN8n = (...all: [id: string, name: string][]) =>
  new Map(all.map(([id, name]) => [id, { id, name, active: false, nodes: 0 }]));
const side = (...entries: [file: string, id: string, hash?: string][]): Side => ({
  ...emptySide,
  workflows: new Map(entries.map(([file, id, hash]) => [file, { id, ...(hash !== undefined && { file: hash }) }])),
});
const both = (files: [string, Held][], workflows: Both['workflows'], known: Side = emptySide): Both => ({
  instance: 'lab',
  files: new Map(files),
  workflows,
  side: known,
});
const shown = (given: Both) =>
  matched(given).matches.map(({ file, summary, entry }) => [file, summary?.id ?? entry?.id]);

describe('what belongs together', () => {
  it('is in the side file, else has a name that only one file and one workflow have', () => {
    const files: [string, Held][] = [
      ['a.json', held('A')],
      ['b.json', held('B')],
      ['c.json', held('C')],
    ];
    const workflows = inN8n(['1', 'Renamed'], ['2', 'B'], ['3', 'D']);
    expect(shown(both(files, workflows, side(['a.json', '1'])))).toEqual([
      ['a.json', '1'],
      ['b.json', '2'],
      ['c.json', undefined],
      [undefined, '3'],
    ]);
  });

  it('is not guessed if several have the name', () => {
    const { matches, ambiguous } = matched(both([['a.json', held('A')]], inN8n(['1', 'A'], ['2', 'A'])));
    expect(matches.map(({ file, summary }) => [file, summary?.id])).toEqual([
      ['a.json', undefined],
      [undefined, '1'],
      [undefined, '2'],
    ]);
    expect(ambiguous.get('a.json')).toContain('"a.json": { "id": "1" }');
    expect([...ambiguous.keys()]).toEqual(['a.json', '1', '2']);
  });

  it('is one file for one workflow, whatever a merge made of the side file', () => {
    const known = side(['a.json', '1'], ['b.json', '1'], ['c.json', '2']);
    const twins = matched(
      both(
        [
          ['a.json', held('A')],
          ['b.json', held('B')],
        ],
        inN8n(['1', 'A']),
        known,
      ),
    );
    expect([...twins.ambiguous]).toEqual(
      ['a.json', 'b.json'].map((file) => [file, expect.stringMatching('a.json and b.json are the same workflow 1')]),
    );
    const renamed = both([['b.json', held('B')]], inN8n(['1', 'B']), known);
    expect(shown(renamed)).toEqual([
      ['b.json', '1'],
      ['c.json', '2'],
    ]);
    expect(matched(renamed).ambiguous.size).toBe(0);
    const none = both([], inN8n(['1', 'B'], ['2', 'C']), known);
    expect(shown(none)).toEqual([
      ['a.json', '1'],
      ['c.json', '2'],
    ]);
  });

  it('stays so when somebody moves the file', () => {
    const file = held('A');
    const known = side(['old.json', '1', hashIn(file)]);
    expect(shown(both([['new.json', file]], inN8n(['1', 'A']), known))).toEqual([['new.json', '1']]);
    const edited = held('A', { timezone: 'UTC' });
    expect(shown(both([['new.json', edited]], inN8n(['1', 'A']), known))).toEqual([['new.json', '1']]);
    const copies: [string, Held][] = [
      ['one.json', edited],
      ['two.json', edited],
    ];
    expect(shown(both(copies, inN8n(['1', 'A']), known))).toEqual([
      ['old.json', '1'],
      ['one.json', undefined],
      ['two.json', undefined],
    ]);
  });

  it('is found by most of its nodes if the name is new, too', () => {
    const ids: string[] = Array.from({ length: 4 }, () => crypto.randomUUID());
    const withNodes = (name: string, ...some: string[]): Held => {
      const nodes = some.map((id) => ({ id, name: id, type: 'x', parameters: {} }));
      const form = formOf({ name, nodes, connections: {} }, false);
      return { form, hash: hashOf(form) };
    };
    const known = side(['old.json', '1']);
    const at = (files: [string, Held][], nodes = ids) =>
      shown({ ...both(files, inN8n(['1', 'A']), known), nodes: new Map([['1', new Set(nodes)]]) })[0];
    expect(at([['new.json', withNodes('B', ...ids.slice(0, 2))]])).toEqual(['new.json', '1']);
    expect(at([['new.json', withNodes('B', ...ids.slice(0, 1))]])).toEqual(['old.json', '1']);
    const twins: [string, Held][] = ['b.json', 'c.json'].map((file) => [file, withNodes(file, ...ids)]);
    expect(at(twins)).toEqual(['old.json', '1']);
    expect(at([['new.json', withNodes('B', '1', '2')]], ['1', '2'])).toEqual(['old.json', '1']);
  });

  it('is not believed if n8n has nothing of it', () => {
    const known = side(['a.json', '1'], ['b.json', '2']);
    expect(() => assertSameN8n(both([], inN8n(['9', 'A']), known))).toThrow('none of the 2 workflows');
    expect(() => assertSameN8n(both([], inN8n(['2', 'A']), known))).not.toThrow();
    expect(() => assertSameN8n(both([], inN8n(['2', 'A'])))).not.toThrow();
  });
});

describe('a scope', () => {
  const { matches } = matched(both([['send.json', held('Send')]], inN8n(['1', 'Send'], ['2', 'Other'])));
  const names = (...wanted: string[]) => within(matches, { names: wanted }).map(({ summary }) => summary?.id);

  it('has names of workflows and of files', () => {
    expect(names('send')).toEqual(['1']);
    expect(names('send.json', 'OTHER')).toEqual(['1', '2']);
    expect(names()).toEqual(['1', '2']);
    expect(within(matches, { names: [], tag: 'x' })).toEqual([]);
  });

  it('says if a name is unknown', () => {
    expect(() => names('sent')).toThrow('Did you mean "Send" or "send"');
  });
});

describe('files', () => {
  it('follow a new name in n8n, and get a free name for what is new there', () => {
    const files: [string, Held][] = [
      ['old.json', held('Old')],
      ['mine.json', held('Old too')],
    ];
    const known = side(['old.json', '1'], ['mine.json', '2']);
    const given = both(files, inN8n(['1', 'New'], ['2', 'Newer'], ['3', 'new'], ['4', 'NEW!']), known);
    const { matches } = matched(given);
    const { byId, renamed } = filesById(matches, new Set(matches), new Set(['readme.md']), () => true);
    expect(Object.fromEntries(renamed)).toEqual({ 'old.json': 'new.json' });
    expect(Object.fromEntries(byId)).toEqual({ 1: 'new.json', 2: 'mine.json', 3: 'new-3.json', 4: 'new-2.json' });
  });

  it('that refer to a renamed one are still in step with every n8n', () => {
    const caller = held('Caller', { errorWorkflow: './old.json' });
    const contents = {
      files: new Map([
        ['caller.json', caller],
        ['old.json', held('Old')],
      ]),
      sides: new Map([
        ['dev', side(['caller.json', '1', hashIn(caller)], ['old.json', '2'])],
        ['prod', side(['caller.json', '7', 'f'.repeat(32)])],
      ]),
    };
    const { files, sides } = afterRenames(contents, new Map([['old.json', 'new.json']]));
    const now = files.get('caller.json') as Held;
    expect('form' in now && now.form.settings).toEqual({ errorWorkflow: './new.json' });
    expect([...files.keys()]).toEqual(['caller.json', 'new.json']);
    expect([...(sides.get('dev')?.workflows ?? [])]).toEqual([
      ['caller.json', { id: '1', file: hashIn(now) }],
      ['new.json', { id: '2' }],
    ]);
    expect(sides.get('prod')?.workflows.get('caller.json')?.file).toBe('f'.repeat(32));
  });
});

describe('a side file', () => {
  it('is the same text for the same content, and is read back', () => {
    const known = side(['b.json', '2', 'a'.repeat(32)], ['a.json', '1']);
    const text = sideText({ ...known, credentials: new Map([['slackApi/Bot', 'c1']]) });
    expect(Object.keys((JSON.parse(text) as { workflows: object }).workflows)).toEqual(['a.json', 'b.json']);
    expect(sideText(readSide(text))).toBe(text);
  });

  it.each(['../a.json', '/etc/a.json', '.git.json', 'a/b.json'])('with the file %s is refused', (file) => {
    expect(() => readSide(JSON.stringify({ workflows: { [file]: { id: '1' } } }))).toThrow(
      'not the name of a .json file',
    );
  });
});
