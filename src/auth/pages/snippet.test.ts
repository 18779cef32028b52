import { expect, it } from 'vitest';
import { snippetsFor } from './snippet.ts';

it('shows how to connect', () => {
  const [shell, file] = snippetsFor('http://127.0.0.1:9411/mcp', 'slc_1');
  expect(shell?.text).toBe(
    "claude mcp add --transport http sluice http://127.0.0.1:9411/mcp --header 'Authorization: Bearer slc_1'",
  );
  expect(JSON.parse(file?.text ?? '')).toEqual({
    mcpServers: {
      sluice: { type: 'http', url: 'http://127.0.0.1:9411/mcp', headers: { Authorization: 'Bearer slc_1' } },
    },
  });
});

it('quotes what a shell would read as more than one word', () => {
  expect(snippetsFor("http://x/a'b c", 'k')[0]?.text).toContain(String.raw`'http://x/a'\''b c'`);
});
