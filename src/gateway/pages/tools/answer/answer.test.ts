import { describe, expect, it } from 'vitest';
import { fileName, isPicture, pictureAddress } from './media-type.ts';
import { jsonIn, repeats } from './repeats.ts';
import { gridIn } from './table-of.ts';

describe('a list of objects', () => {
  it('is a table, wherever it is the only or the longest one', () => {
    const rows = [{ a: 1 }, { a: 2, b: 'x' }];
    expect(gridIn(rows)).toEqual({ at: '', columns: ['a', 'b'], more: 0, rows });
    expect(gridIn({ total: 2, rows, others: [{ c: 1 }] })).toMatchObject({ at: 'rows', columns: ['a', 'b'] });
    expect(gridIn(JSON.parse('[{"__proto__": 1, "": 2}]'))).toMatchObject({ columns: ['__proto__', ''] });
  });

  it('is one only if all of it is objects', () => {
    for (const value of [[], [1, 2], [{ a: 1 }, 2], [{}], { rows: [] }, 'text', null, 7])
      expect(gridIn(value)).toBeUndefined();
  });

  it('shows twelve columns, and says how many more there are', () => {
    const row = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`c${at}`, at]));
    expect(gridIn([row])).toMatchObject({ more: 8 });
    expect(gridIn([row])?.columns).toHaveLength(12);
  });
});

describe('a text', () => {
  it('that repeats the data is left out', () => {
    expect(repeats({ type: 'text', text: '{"b": [1], "a": null}' }, { a: null, b: [1] })).toBe(true);
    expect(repeats({ type: 'text', text: '{"a": 1}' }, { a: 2 })).toBe(false);
    expect(repeats({ type: 'text', text: 'See the data.' }, {})).toBe(false);
    expect(repeats({ type: 'image' }, {})).toBe(false);
    expect(repeats({}, {})).toBe(false);
  });

  it('that is an object or a list is read as one', () => {
    expect(jsonIn(' [1]')).toEqual([1]);
    expect(jsonIn('{"a": ')).toBeUndefined();
    expect(jsonIn('7')).toBeUndefined();
    expect(jsonIn(`[${' '.repeat(3_000_000)}]`)).toBeUndefined();
  });
});

describe('data', () => {
  it('is shown if it can run nothing', () => {
    expect(
      ['image/png', 'IMAGE/JPEG; q=1', 'image/svg+xml', 'text/html', 'application/pdf', ''].map(isPicture),
    ).toEqual([true, true, false, false, false, false]);
    expect(pictureAddress('image/png', 'aGk="><script>')).toBe('data:image/png;base64,aGk=script');
    expect(pictureAddress('image/svg+xml', 'aGk=')).toBeUndefined();
  });

  it('has a file name without a say of the server', () => {
    expect(fileName('image', 'image/svg+xml')).toBe('image.svg');
    expect(fileName('resource', '../../evil.exe')).toBe('resource.bin');
    expect(fileName('resource', '__proto__')).toBe('resource.bin');
  });
});
