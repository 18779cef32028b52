import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { templateParts, templatesIn, wholeExpression } from './template.ts';

const sources = (text: string) =>
  templateParts(text).flatMap((part) => (part.kind === 'expression' ? [part.source] : []));

describe('templateParts', () => {
  it('splits texts and expressions', () => {
    expect(templateParts('a ${ inputs.x } b${1}')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'expression', source: ' inputs.x ', offset: 2 },
      { kind: 'text', text: ' b' },
      { kind: 'expression', source: '1', offset: 17 },
    ]);
    expect(templateParts('')).toEqual([]);
    expect(templateParts('$ { } $x')).toEqual([{ kind: 'text', text: '$ { } $x' }]);
  });

  it.each([
    ['$${x}', '${x}'],
    ['a$${', 'a${'],
    ['$$${x}', '$${x}'],
    ['$${$${', '${${'],
  ])('reads the escape in %s', (text, literal) => {
    expect(templateParts(text)).toEqual([{ kind: 'text', text: literal }]);
  });

  it('reads an escape beside an expression', () => {
    expect(templateParts('${a}$${b}')).toEqual([
      { kind: 'expression', source: 'a', offset: 0 },
      { kind: 'text', text: '${b}' },
    ]);
  });

  it.each([
    '{"a": {"b": 1}}.a',
    '"}"',
    "'}'",
    '"a\\"}"',
    String.raw`r"\" + "}"`,
    String.raw`R'\' + '}'`,
    String.raw`rb"\" + "}"`,
    '"""a " } \n "" b"""',
    "'''}'''",
    String.raw`"""\"""}"""`,
    '"" + "}"',
    'a // } "\n + 1',
    'a / b',
    'bar + "}"',
    '"${x}"',
  ])('finds the brace that closes %s', (source) => {
    expect(sources(`<\${${source}}>`)).toEqual([source]);
  });

  it.each([
    ['ab${x', 'at character 3 does not end: it has no closing brace'],
    ['${"x}', 'at character 1 does not end: a text in it has no closing quote'],
    ['${"x\n"}', 'has no closing quote'],
    ['${{}', 'has no closing brace'],
    ['${a // }', 'has no closing brace'],
    ['${"\\', 'has no closing quote'],
  ])('says where %j begins', (text, words) => {
    expect(() => templateParts(text)).toThrow(AppError);
    expect(() => templateParts(text)).toThrow(words);
  });

  it('throws nothing but AppErrors, and loses no text', () => {
    const piece = fc.constantFrom(
      '$',
      '{',
      '}',
      '${',
      '$${',
      '"',
      "'",
      '"""',
      "'''",
      '\\',
      '//',
      '\n',
      'r',
      'b',
      'a',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        const text = pieces.join('');
        try {
          const parts = templateParts(text);
          if (!text.includes('${')) expect(parts).toEqual(text === '' ? [] : [{ kind: 'text', text }]);
          for (const part of parts)
            if (part.kind === 'expression') expect(text.startsWith('${', part.offset)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });

  it.each(['${a}', '$${', '${"', "${'''", '${{', '${r', '${//\n', '$', '${"\\"'])(
    'is linear in repetitions of %s',
    (piece) => {
      const text = piece.repeat(500_000);
      const begin = performance.now();
      try {
        templateParts(text);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
      // A quadratic scan takes minutes.
      expect(performance.now() - begin).toBeLessThan(5_000);
    },
  );
});

describe('wholeExpression', () => {
  it('is the expression of a text that is exactly one', () => {
    expect(wholeExpression('${inputs.n}')).toBe('inputs.n');
    expect(wholeExpression('${a}${b}')).toBeUndefined();
    expect(wholeExpression(' ${a}')).toBeUndefined();
    expect(wholeExpression('$${a}')).toBeUndefined();
    expect(wholeExpression('')).toBeUndefined();
  });
});

describe('templatesIn', () => {
  it('visits values, not keys', () => {
    const seen: unknown[] = [];
    const value = JSON.parse('{"${k}":"a","l":["b",{"__proto__":"c"}],"n":1,"z":null}') as unknown;
    templatesIn(value, (text, path) => seen.push([text, ...path]));
    expect(seen).toEqual([
      ['a', '${k}'],
      ['b', 'l', 0],
      ['c', 'l', 1, '__proto__'],
    ]);
  });

  it('refuses a value that is too deep', () => {
    const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}"x"${']'.repeat(levels)}`) as unknown;
    let seen = 0;
    templatesIn(nested(64), () => seen++);
    expect(seen).toBe(1);
    expect(() => templatesIn(nested(65), () => {})).toThrow('64 levels');
  });
});
