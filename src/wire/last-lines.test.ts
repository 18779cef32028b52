import { expect, test } from 'vitest';
import { lastLines } from './last-lines.ts';

test('names a missing script, not the version of Node', () => {
  const crash = `node:internal/modules/cjs/loader:1247
  throw err;
  ^

Error: Cannot find module '/x/nofile.js'
    at Function._resolveFilename (node:internal/modules/cjs/loader:1244:15) {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v24.21.0
`;
  expect(lastLines(crash)).toContain("Error: Cannot find module '/x/nofile.js'");
  expect(lastLines(crash)).not.toContain('Node.js v24');
});

test('keeps the last three lines of other output', () => {
  expect(lastLines('one\ntwo\n\nthree\nTOKEN is required\n')).toBe('two | three | TOKEN is required');
  expect(lastLines('}\n')).toBe('}');
  expect(lastLines('')).toBe('');
});
