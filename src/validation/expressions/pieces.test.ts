import { describe, expect, it } from 'vitest';
import { piecesOf, placeIn } from './pieces.ts';

const codes = (text: string) => piecesOf(text).map(({ code }) => code);

describe('the pieces of a text', () => {
  it('are the code between the braces', () => {
    expect(piecesOf('Hello {{ $json.a }} and {{b}}!')).toEqual([
      { code: ' $json.a ', start: 8, closed: true },
      { code: 'b', start: 26, closed: true },
    ]);
    expect(piecesOf('nothing { here }')).toEqual([]);
  });

  it('end at the first closing braces, even inside quotes', () => {
    expect(codes('{{ {a: {b: 1}} }}')).toEqual([' {a: {b: 1']);
    expect(codes('{{ "}}" }}')).toEqual([' "']);
  });

  it('do not start or end at braces after a backslash', () => {
    expect(codes('\\{{ a }} {{ b }}')).toEqual([' b ']);
    expect(codes('\\\\{{ a }}')).toEqual([' a ']);
    expect(codes('{{ "\\}}" }}')).toEqual([' "}}" ']);
  });

  it('extend to the end if they are not closed', () => {
    expect(piecesOf('a {{ b')).toEqual([{ code: ' b', start: 4, closed: false }]);
    expect(piecesOf('a {{')).toEqual([]);
  });
});

describe('a place in a text', () => {
  it('is a column, and a line if there are several lines', () => {
    expect(placeIn('abc', 1)).toBe('column 2');
    expect(placeIn('abc\ndef', 5)).toBe('line 2, column 2');
    expect(placeIn('abc\ndef', 0)).toBe('line 1, column 1');
  });
});
