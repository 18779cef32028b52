import { Document, isMap, isScalar, isSeq, Scalar, type YAMLMap } from 'yaml';
import { entryKeys } from '../config/server-entry.ts';
import { freeName, sameSource } from '../../host/config/claims.ts';

const HEAD = `# Sluice configuration. Changes take effect while Sluice runs.
# Keep secrets out of this file: write \${NAME} here, and NAME=value into a .env file beside it.

server:
  host: 127.0.0.1
  port: 3500

# The same shape as in Claude Desktop, Cursor and VS Code: paste yours.
`;

const EXAMPLE = `mcpServers: {}
#   everything:
#     command: npx
#     args: [-y, "@modelcontextprotocol/server-everything"]
#   remote:
#     url: https://example.com/mcp
#     headers: { Authorization: "Bearer \${TOKEN}" }
`;

const N8N_EXAMPLE = `
# n8n:
#   default: { url: http://127.0.0.1:5678, apiKey: \${N8N_API_KEY} }
`;

const TAIL = `
# gateway:
#   allowCommands: false   # may a tool call add a server that runs a command?
`;

/**
 * The text of a new sluice.yaml with these servers. `taken` are names that they cannot have. Comments note names and keys
 * that had to change.
 */
export function renderConfig(
  servers: Readonly<Record<string, unknown>>,
  {
    taken = [],
    n8n,
  }: { taken?: readonly string[] | undefined; n8n?: { url: string; apiKey: string } | undefined } = {},
): string {
  const n8nSection = n8n ? `\n${new Document({ n8n: { default: n8n } }).toString()}` : N8N_EXAMPLE;
  return `${HEAD}${renderServers(servers, taken)}${n8nSection}${TAIL}`;
}

function renderServers(servers: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  const entries = Object.entries(servers);
  if (entries.length === 0) return EXAMPLE;

  const document = new Document({ mcpServers: {} });
  const map = document.get('mcpServers') as YAMLMap;
  map.flow = false;
  const taken = new Set(names);
  for (const [given, entry] of entries) {
    const name = freeName(given, (candidate) => taken.has(candidate));
    taken.add(sameSource(name));
    const { kept, dropped } = split(entry);
    const notes = [
      ...(name === given ? [] : [` was called ${JSON.stringify(given)}`]),
      ...(dropped.length === 0 ? [] : [` not imported: ${dropped.join(', ')}`]),
    ];
    const key = new Scalar(name);
    if (notes.length > 0) key.commentBefore = notes.join('\n');
    const value = document.createNode(kept);
    if (isMap(value)) for (const { value: inner } of value.items) if (isShortList(inner)) inner.flow = true;
    map.items.push(document.createPair(key, value));
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function split(entry: unknown): { kept: Record<string, unknown>; dropped: string[] } {
  const given = Object.entries(entry ?? {});
  return {
    kept: Object.fromEntries(given.filter(([key]) => entryKeys.has(key))),
    dropped: given.map(([key]) => key).filter((key) => !entryKeys.has(key)),
  };
}

function isShortList(node: unknown): node is { flow?: boolean } {
  return isSeq(node) && node.items.every((item) => isScalar(item) && !String(item.value).includes('\n'));
}
