import { describe, expect, test } from 'vitest';
import { presets } from './built-in.ts';
import { readSection } from './section.ts';
import { placeOf } from './server.ts';

const findings = (name: string, section: object) => {
  const read = readSection(name, presets.get(name), section as Record<string, unknown>);
  return 'findings' in read ? read.findings.map(({ path, message, fix }) => `${path.join('.')} ${message} ${fix}`) : [];
};

test.each([...presets.keys()])('%s says what it is for in one line', (name) => {
  expect(presets.get(name)?.description).toMatch(/^[^\n]{20,100}[^.]$/);
});

test.each([...presets.keys()])('%s can be limited to reading', (name) => {
  const { reads, readOnly } = presets.get(name) ?? {};
  expect(reads ?? readOnly).toBeDefined();
});

describe('a section of a built-in preset', () => {
  test('needs its options', () => {
    expect(findings('playwright', {})).toEqual([
      'modules.playwright.origins is missing Add it, for example origins: ["https://example.com"].',
    ]);
    expect(findings('grafana', { url: 'http://127.0.0.1:3000' })).toEqual([
      expect.stringContaining('modules.grafana.token'),
    ]);
  });

  test('refuses keys that it does not have', () => {
    expect(findings('playwright', { origins: ['*'], orgins: ['*'] })).toEqual([
      expect.stringMatching(/orgins.*origins/),
    ]);
  });

  test('may choose another version', () => {
    const read = readSection('playwright', presets.get('playwright'), { origins: ['*'], version: '0.0.84' });
    expect('findings' in read ? '' : placeOf(read)).toBe('@playwright/mcp@0.0.84');
  });
});

describe('a section with a server of its own', () => {
  test('is pinned', () => {
    expect(findings('mine', { server: { npm: 'some-mcp', reads: ['get_*'] } })).toEqual([
      expect.stringMatching(/modules\.mine\.server\.npm does not name one version.*1\.2\.3/),
    ]);
    expect(findings('mine', { server: { npm: 'some-mcp@latest', reads: ['*'] } })).toHaveLength(1);
    expect(findings('mine', { server: { npm: '@a/some-mcp@1.2.3-beta.1', reads: ['get_*'] } })).toEqual([]);
  });

  test('names one source', () => {
    expect(findings('mine', { server: { reads: ['*'] } })).toEqual([expect.stringContaining('npm, pypi, command')]);
    expect(findings('mine', { server: { npm: 'a@1.2.3', command: 'b', reads: ['*'] } })).toEqual([
      expect.stringContaining('several sources'),
    ]);
  });

  test('says which tools read, or is read-write', () => {
    expect(findings('mine', { server: { command: 'b' } })).toEqual([expect.stringContaining('reads: […]')]);
    expect(findings('mine', { mode: 'read-write', server: { command: 'b' } })).toEqual([]);
    expect(findings('mine', { server: { command: 'b', readOnly: { args: ['--read-only'] } } })).toEqual([]);
  });
});
