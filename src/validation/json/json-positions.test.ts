import { describe, expect, it } from 'vitest';
import { positionsIn } from './json-positions.ts';

const text = `{
  "name": "A \\"quoted\\" } name",
  "nodes": [
    { "name": "One", "parameters": {} },
    {
      "name": "Two",
      "parameters": { "url": "https://example.com", "a/b": [1, -2.5e3, true] }
    }
  ]
}
`;

const at = (pointer: string, given = text) => {
  const region = positionsIn(given, [pointer]).get(pointer);
  return region && `${region.start.line}:${region.start.column}-${region.end.line}:${region.end.column}`;
};

describe('positions in JSON text', () => {
  it.each([
    ['', '1:1-1:2'],
    ['/name', '2:3-2:32'],
    ['/nodes', '3:3-3:13'],
    ['/nodes/0', '4:5-4:6'],
    ['/nodes/0/name', '4:7-4:20'],
    ['/nodes/1', '5:5-5:6'],
    ['/nodes/1/parameters/url', '7:23-7:51'],
    ['/nodes/1/parameters/a~1b/1', '7:64-7:70'],
    ['/nodes/1/parameters/a~1b/2', '7:72-7:76'],
  ])('%s', (pointer, region) => {
    expect(at(pointer)).toBe(region);
  });

  it('gives a missing value the position of the innermost existing parent', () => {
    expect(at('/nodes/1/parameters/body/json')).toBe(at('/nodes/1/parameters'));
    expect(at('/nodes/7/name')).toBe(at('/nodes'));
    expect(at('/nodes/0/name/deeper')).toBe(at('/nodes/0/name'));
    expect(at('/settings')).toBe(at(''));
  });

  it('finds many at once, in any order', () => {
    const wanted = ['/nodes/1/parameters/url', '', '/nodes/0', '/gone'];
    const found = positionsIn(text, wanted);
    expect([...found.keys()].sort()).toEqual([...wanted].sort());
  });

  it('reads text in one line, with a byte order mark, or without an object', () => {
    expect(at('/a/0/b', '{"a":[{"b":null}]}')).toBe('1:8-1:16');
    expect(at('/a', '\uFEFF{"a":1}')).toBe('1:3-1:8');
    expect(at('/a', '"text"')).toBe('1:1-1:7');
    expect(at('/__proto__/x', '{"__proto__":{"x":1}}')).toBe('1:15-1:20');
  });

  it('handles extreme depth and size', () => {
    const deep = `{"deep":${'['.repeat(200_000)}${']'.repeat(200_000)},"after":1}`;
    expect(at('/after', deep)).toBe('1:400010-1:400019');
  });
});
