import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../test/validation/cpu-time.ts';
import { distanceOf, fold, nearestName, nearestNames } from './nearest-names.ts';

const keys = ['host', 'port', 'publicUrl', 'allowedHosts', 'mcpServers'];

test.each([
  ['prot', 'port'],
  ['hosst', 'host'],
  ['public_url', 'publicUrl'],
  ['publicURL', 'publicUrl'],
  ['mcp-servers', 'mcpServers'],
  ['allowedHost', 'allowedHosts'],
  ['mcp', 'mcpServers'],
  ['hostname', 'host'],
  ['colour', undefined],
  ['x', undefined],
])('%s probably means %s', (word, meant) => {
  expect(nearestName(word, keys)).toBe(meant);
});

test('case, _ and - make no difference to some clients', () => {
  expect(fold('GitHub__Create-Issue')).toBe(fold('github--create_issue'));
});

describe('the nearest names', () => {
  const names = ['github__create_issue', 'github__list_issues', 'fs__read_file', 'fs__write_file', 'echo'];

  test.each([
    ['github__create_isue', ['github__create_issue']],
    ['GitHub-create-issue', ['github__create_issue', 'github__list_issues']],
    ['create_issue', ['github__create_issue']],
    ['read_file', ['fs__read_file']],
    ['ecko', ['echo']],
    ['nothing_of_the_kind', []],
  ])('to %s are %j', (wanted, near) => {
    expect(nearestNames(wanted, names)).toEqual(near);
  });

  test('come nearest first, and no more than asked for', () => {
    expect(nearestNames('fs__read_fil', names, 1)).toEqual(['fs__read_file']);
    expect(nearestNames('tool1', ['tool10', 'tool2', 'tool1x', 'tool3', 'tool4'])).toHaveLength(3);
  });

  test('appear once, even if the list has them twice', () => {
    expect(nearestNames('fs__read_fil', ['fs__read_file', 'fs__read_file'])).toEqual(['fs__read_file']);
  });

  test('to a very long name are none, and cost nothing', () => {
    const many = Array.from({ length: 2000 }, (_, i) => `server__some_ordinary_tool_${i}`);
    const { result, ms } = cpuTime(() => nearestNames('x'.repeat(1_000_000), many));
    expect(result).toEqual([]);
    expect(ms).toBeLessThan(200);
  });
});

test.each([
  ['prot', 'port', 1],
  ['port', 'port', 0],
  ['sluice', 'juice', 2],
  ['', 'abc', 3],
])('%j and %j have this edit distance', (a, b, slips) => {
  expect(distanceOf(a, b)).toBe(slips);
  expect(distanceOf(b, a)).toBe(slips);
  expect(distanceOf(a, b, slips)).toBe(slips);
});
