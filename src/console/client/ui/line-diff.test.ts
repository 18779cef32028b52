import { describe, expect, it } from 'vitest';
import { diffLines } from './line-diff.ts';

const text = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text: line }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${line}`);

describe('difference by lines', () => {
  it('finds what changed between equal ends', () => {
    expect(text('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c']);
    expect(text('a\nc', 'a\nb\nc')).toEqual([' a', '+b', ' c']);
    expect(text('a\na\na', 'a\na')).toEqual([' a', ' a', '-a']);
    expect(text('same', 'same')).toEqual([' same']);
  });

  it('gives both texts back', () => {
    const before = 'one\ntwo\nthree\nfour\nfive\n';
    const after = 'zero\ntwo\nthree\n4\nfive\nsix\n';
    const lines = diffLines(before, after);
    const side = (other: string) =>
      lines
        .filter(({ kind }) => kind !== other)
        .map((line) => line.text)
        .join('\n');
    expect(side('added')).toBe(before);
    expect(side('removed')).toBe(after);
  });

  it('does not choke on large texts', () => {
    const large = (salt: string) => Array.from({ length: 5000 }, (_, line) => `${salt}${line}`).join('\n');
    expect(diffLines(large('a'), large('b'))).toHaveLength(10_000);
  });
});
