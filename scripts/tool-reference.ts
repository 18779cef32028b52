/** `npm run docs`: writes docs/tools.md from the tools themselves. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Entry } from '../src/kernel/source.ts';
import { isListed } from '../src/gateway/registry.ts';
import { startRuntime } from '../src/runtime.ts';
import { type SchemaRow, schemaRows } from './schema-rows.ts';

export const referenceFile = fileURLToPath(new URL('../docs/tools.md', import.meta.url));

const HEAD = `# Tools

Sluice's own tools. They are listed beside those of your servers, which keep their own descriptions.
This page is made by \`npm run docs\` from the tools themselves; a test fails when it is out of date.

An *effect* says what a tool does to the world; its MCP annotations follow from it, and a tool that deletes has to be
[confirmed](gateway.md#confirmation). A *scope* is what a caller needs to use it; without authentication the local
user has all of them. In \`compact\` and \`search\` there are a few [more](exposure.md).
`;

/** The reference as it should be. What is listed is asked of a gateway without servers: no list of tools to keep up. */
export async function toolReference(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'sluice-docs-'));
  try {
    // Whoever has an n8n has the tools for it; here none of them is called.
    await using runtime = await startRuntime({ home, cwd: home, env: { N8N_URL: 'http://127.0.0.1:9' } });
    const entries = runtime.apis.gateway.registry
      .all()
      .filter(isListed)
      .map(({ entry }) => entry);
    return `${[HEAD, overview(entries), ...entries.map(section)].join('\n')}\n`;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function overview(entries: readonly Entry[]): string {
  const rows = entries.map(({ tool, wire, effect, scope }) => [
    `[\`${tool}\`](#${tool})`,
    wire.title ?? '',
    effect,
    `\`${scope}\``,
  ]);
  return table(['tool', 'title', 'effect', 'scope'], rows);
}

function section({ tool, wire, outputSchema, effect, scope, confirm, guidance, examples = [] }: Entry): string {
  const parameters = schemaRows(wire.inputSchema);
  const output = schemaRows(outputSchema ?? {});
  return [
    `\n## ${tool}\n`,
    `${wire.description}\n`,
    `Effect: ${effect}. Scope: \`${scope}\`.${confirm ? ' Has to be confirmed.' : ''}\n`,
    ...(guidance === undefined ? [] : [`${guidance}\n`]),
    '**Parameters**\n',
    parameters.length === 0 ? 'None.' : table(['name', 'type', '', 'meaning'], parameters.map(parameterRow)),
    '\n**Output**\n',
    table(
      ['name', 'type', 'meaning'],
      output.map(({ path, type, required, description }) => [
        `\`${path}\`${required ? '' : ' (optional)'}`,
        type,
        description,
      ]),
    ),
    ...examples.map((example) => exampleOf(tool, example.title, example.arguments)),
  ].join('\n');
}

function parameterRow({ path, type, required, fallback, description }: SchemaRow): string[] {
  const need = fallback === undefined ? (required ? 'required' : 'optional') : `default ${JSON.stringify(fallback)}`;
  return [`\`${path}\``, type, need, description];
}

function exampleOf(tool: string, title: string, args: unknown): string {
  const quoted = JSON.stringify(args).replaceAll("'", String.raw`'\''`);
  return `\n**Example: ${title}**\n\n\`\`\`sh\nsluice call ${tool} '${quoted}'\n\`\`\``;
}

function table(head: string[], rows: string[][]): string {
  const cells = [head, head.map(() => '---'), ...rows];
  return cells.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}

if (import.meta.main) {
  await writeFile(referenceFile, await toolReference());
  console.log(`Written: ${referenceFile}`);
}
