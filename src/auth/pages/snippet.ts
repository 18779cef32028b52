/** How clients connect with a new key. */
export interface Snippet {
  readonly title: string;
  readonly text: string;
}

export function snippetsFor(url: string, key: string): Snippet[] {
  const headers = { Authorization: `Bearer ${key}` };
  return [
    {
      title: 'Claude Code',
      text: `claude mcp add --transport http sluice ${quoted(url)} --header 'Authorization: Bearer ${key}'`,
    },
    {
      title: 'Other clients',
      text: JSON.stringify({ mcpServers: { sluice: { type: 'http', url, headers } } }, null, 2),
    },
  ];
}

const quoted = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
