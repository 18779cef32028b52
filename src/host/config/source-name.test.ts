import { expect, test } from 'vitest';
import { sourceName, suggestName } from './source-name.ts';

test.each([
  ['my server!', 'my-server'],
  ['Zürich', 'Zurich'],
  ['a.b', 'a-b'],
  ['@scope/tool', 'scope-tool'],
  ['github.com/modelcontextprotocol/servers/tree/main/src/github', 'github'],
  ['x'.repeat(60), 'x'.repeat(40)],
  ['…', 'server'],
])('%s -> %s', (given, suggested) => {
  expect(suggestName(given)).toBe(suggested);
  expect(sourceName.safeParse(suggested).success).toBe(true);
});
