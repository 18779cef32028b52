import { expect, test } from 'vitest';
import { base64Of, branchInput, writtenPath } from './commit-input.ts';

test('names of branches, as Git has them', () => {
  for (const name of ['main', 'feature/x', 'v1.2', 'a@b', 'größe', 'fix-#12'])
    expect(branchInput.safeParse(name).success, name).toBe(true);
  for (const name of [
    '',
    '/x',
    'x/',
    '.x',
    'a/.x',
    'a..b',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
    'a//b',
    'x.lock',
    'x.lock/y',
    '-x',
    'a@{1}',
    'x.',
    'refs/heads/x',
  ])
    expect(branchInput.safeParse(name).success, name).toBe(false);
});

test('paths of files', () => {
  expect(writtenPath.parse('/src/index.ts')).toBe('src/index.ts');
  expect(writtenPath.parse('.github/workflows/ci.yml')).toBe('.github/workflows/ci.yml');
  for (const path of ['', '/', 'a/', 'a//b', '../x', 'a/../b', './a', '.git/config', 'x/.GIT/y', 'a\\b'])
    expect(writtenPath.safeParse(path).success, path).toBe(false);
});

test('content as base64', () => {
  expect(base64Of('größe', 'utf-8', 'x')).toBe(Buffer.from('größe').toString('base64'));
  expect(base64Of('AAEC\nAw==', 'base64', 'x')).toBe('AAECAw==');
  expect(base64Of('', 'base64', 'x')).toBe('');
  expect(() => base64Of('not base64!', 'base64', 'logo.png')).toThrow('The content of logo.png is not base64');
  const long = 'AAAA'.repeat(2 * 1024 * 1024);
  expect(base64Of(long, 'base64', 'x') === long).toBe(true);
  for (const wrong of ['A', 'AA', 'AAAAA', 'AA=A', 'A===', '=', 'AAAA=', 'AA==AA=='])
    expect(() => base64Of(wrong, 'base64', 'x'), wrong).toThrow('is not base64');
});
