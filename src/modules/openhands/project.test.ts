import { expect, test } from 'vitest';
import { inProject, projectOf } from './project.ts';

test.each([
  [null, '/workspace/project'],
  ['acme/shop', '/workspace/project/shop'],
  ['group/sub/shop', '/workspace/project/shop'],
])('the project of %s is %s', (selected_repository, project) => {
  expect(projectOf('/workspace/project', { selected_repository })).toBe(project);
});

test.each([
  ['README.md', '/p/README.md'],
  ['./src/a.ts', '/p/src/a.ts'],
  ['/tmp/x', '/tmp/x'],
])('%s is %s', (path, absolute) => {
  expect(inProject('/p', path)).toBe(absolute);
});
