import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPace } from '../../kernel/pace.ts';
import type { Memory } from '../engine.ts';
import { decoded } from './decoded.ts';
import { readMarkdown } from './markdown.ts';
import { markdownOf } from './own-markdown.ts';
import { sectionsOf } from './sections.ts';

describe('sections', () => {
  test('are the file, joined, whatever is in it', async () => {
    const piece = fc.constantFrom(
      '# A',
      '## B ##',
      '```',
      '~~~~',
      '===',
      '---',
      'text',
      '\n',
      '\r\n',
      '    code',
      '#no',
      ' ',
      '🦊',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(piece, fc.string())), async (pieces) => {
        const text = pieces.join('');
        expect((await sectionsOf(text, createPace())).map((section) => section.text).join('')).toBe(text);
      }),
    );
  });

  test('begin at headings, but not in code', async () => {
    const text = 'Intro\n# One\na\n```sh\n# comment\n````\nb\n## Two #\nc\nThree\n=====\nd\n\nFour\n---\ne\n- x\n---\n';
    expect(await sectionsOf(text, createPace())).toEqual([
      { text: 'Intro\n', headings: [] },
      { text: '# One\na\n```sh\n# comment\n````\nb\n', headings: ['One'] },
      { text: '## Two #\nc\nThree\n=====\nd\n\n', headings: ['One', 'Two'] },
      { text: 'Four\n---\ne\n- x\n---\n', headings: ['One', 'Four'] },
    ]);
  });

  test('take a title with nothing under it along', async () => {
    expect(await sectionsOf('# A\n\n## B\nb\n## C\n', createPace())).toEqual([
      { text: '# A\n\n## B\nb\n', headings: ['A', 'B'] },
      { text: '## C\n', headings: ['A', 'C'] },
    ]);
  });

  test('of 20 MB without a heading are split between words', async () => {
    const text = 'Many words 🦊. '.repeat(1_300_000);
    const sections = await sectionsOf(text, createPace());
    expect(sections.map((section) => section.text).join('')).toBe(text);
    expect(Math.max(...sections.map((section) => section.text.length))).toBeLessThanOrEqual(50_000);
    expect(sections.every((section) => section.text.isWellFormed())).toBe(true);
  });
});

describe('Markdown', () => {
  test('has front matter, sources and headings as metadata', async () => {
    const text =
      '---\ntitle: Ada\ntags: [person, "#tea", 7]\nsource: https://example.org\ncreated: 2024-05-01\n---\n\nHello [[Ben]].\n\n## Drinks\n\n    code\n\n';
    expect(await readMarkdown(text, 'notes/ada.md', createPace())).toEqual({
      memories: [
        {
          text: 'Hello [[Ben]].',
          tags: ['person', 'tea', '7'],
          metadata: {
            title: 'Ada',
            note_source: 'https://example.org',
            created: '2024-05-01',
            source: 'notes/ada.md',
          },
          recordedAt: Date.parse('2024-05-01'),
        },
        expect.objectContaining({
          text: '## Drinks\n\n    code',
          metadata: expect.objectContaining({ heading: 'Drinks' }),
        }),
      ],
      graph: [],
      problems: [],
    });
  });

  test('keeps front matter that is none', async () => {
    const broken = '---\na: [1\n---\nText\n';
    expect(await readMarkdown(broken, 'x.md', createPace())).toMatchObject({
      memories: [{ text: broken.trim() }],
      problems: [{ line: 1, reason: expect.stringContaining('front matter') }],
    });
    expect(await readMarkdown('---\nText between rules\n---\nMore', 'x.md', createPace())).toMatchObject({
      memories: [{ text: '---\nText between rules\n---\nMore' }],
      problems: [],
    });
  });
});

describe('our own Markdown', () => {
  const memory = (text: string, more: Partial<Memory> = {}): Memory => ({
    id: 'm1',
    root: 'm1',
    namespace: 'default',
    text,
    tags: ['a --> b'],
    metadata: { dashes: '---' },
    recordedAt: 1_700_000_000_000,
    validFrom: 1_700_000_000_000,
    pinned: true,
    by: { principal: 'key:ana', call: 'c' },
    recalls: 2,
    ...more,
  });

  test('gives back every text exactly', async () => {
    const texts = fc.array(
      fc
        .array(fc.constantFrom('# A', '\n', '\n\n', ' ', 'x', '<!-- sluice:memory {"id":"x"} -->\n', ' -->\n', '🦊'))
        .map((pieces) => pieces.join(''))
        .filter((text) => text.trim() !== ''),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(texts, async (all) => {
        const file = all.map((text, at) => markdownOf(memory(text, { id: `m${at}` }))).join('');
        const { memories, problems } = await readMarkdown(file, 'x.md', createPace());
        expect(problems).toEqual([]);
        expect(memories.map(({ id, text }) => [id, text])).toEqual(all.map((text, at) => [`m${at}`, text]));
      }),
    );
  });

  test('takes an edited text for another memory', async () => {
    const file = `${markdownOf(memory('Likes tea.'))}${markdownOf(memory('Second', { id: 'm2' }))}`;
    const { memories } = await readMarkdown(file.replace('tea', 'coffee'), 'x.md', createPace());
    expect(memories).toMatchObject([
      { text: 'Likes coffee.', tags: ['a --> b'], metadata: { dashes: '---' }, pinned: true },
      { id: 'm2', text: 'Second' },
    ]);
    expect(memories[0]?.id).toBeUndefined();
  });
});

describe('bytes', () => {
  test('are UTF-8, or UTF-16 with its mark', async () => {
    expect(decoded(Buffer.from('\uFEFFÄ'))).toBe('Ä');
    expect(decoded(Buffer.from('\uFEFFÄ', 'utf16le'))).toBe('Ä');
    expect(() => decoded(Buffer.from('ok\nÄrger', 'latin1'))).toThrow('line 2');
    expect(() => decoded(Buffer.from([80, 75, 0, 4]))).toThrow('NUL bytes');
  });
});
