/** `npm run docs`: writes docs/tools.md and docs/tools/ from the tools themselves. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { AnyPart } from '../src/host/part.ts';
import { createOwnSource } from '../src/kernel/own-source.ts';
import type { Entry, Json } from '../src/kernel/source.ts';
import type { AnyTool } from '../src/kernel/tool.ts';
import { parts } from '../src/parts.ts';
import { type SchemaRow, schemaRows, type Variants, variantsIn } from './schema-rows.ts';

/** A tool with its full input: the list that clients get shortens unions. */
type Described = Entry & { readonly input: Json };

const HEAD = `# Tools

Sluice's own tools. They are listed beside the tools of your servers, which keep their own descriptions.
\`npm run docs\` generates these pages from the tools; a test fails if they are out of date.

The *effect* says what a tool does; its MCP annotations are derived from it, and a tool that deletes needs a
[confirmation](gateway.md#confirmation). The *scope* is what a caller needs to use the tool; without authentication, the local
user has every scope. \`compact\` and \`search\` have a few [more tools](exposure.md).
`;

/** Every page of the reference, by its path from docs/. Starts nothing: the parts list their tools statically. */
export async function toolReference(): Promise<Map<string, string>> {
  const all = await Promise.all(
    Object.entries<AnyPart>(parts).flatMap(([name, { tools }]) => (tools ? [sourcesOf(name, tools)] : [])),
  );
  const sources = all.flat().map(described);
  const index = sources.map(({ name, entries }) => `\n## ${name}\n\n${overview(name, entries)}`);
  return new Map([
    ['tools.md', `${[HEAD.trimEnd(), ...index].join('\n')}\n`],
    ...sources.map(({ name, entries }): [string, string] => [`tools/${name}.md`, page(name, entries)]),
  ]);
}

type Tools = readonly AnyTool<never>[];

/** Each module is a source of its own. */
async function sourcesOf(part: string, tools: () => Promise<Tools>): Promise<[name: string, tools: Tools][]> {
  const own = await tools();
  if (part !== 'modules') return [[part, own]];
  return [...Map.groupBy(own, ({ category = part }) => category)];
}

function described([name, own]: readonly [name: string, tools: Tools]) {
  const inputs = new Map(
    own.map((tool) => [tool.name, z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' })]),
  );
  // The tools are only described here, never called, so they need no dependencies.
  const source = createOwnSource<never>({ id: name, exposure: 'flat', tools: own, deps: undefined as never });
  const entries = source
    .entries()
    .filter(({ unlisted }) => !unlisted)
    .map((entry): Described => ({ ...entry, input: (inputs.get(entry.tool) ?? {}) as Json }));
  return { name, entries: entries.sort((a, b) => (a.tool < b.tool ? -1 : 1)) };
}

function overview(name: string, entries: readonly Described[]): string {
  const rows = entries.map(({ tool, wire, effect, scope }) => [
    `[\`${tool}\`](tools/${name}.md#${tool})`,
    wire.title ?? '',
    effect,
    `\`${scope}\``,
  ]);
  return table(['tool', 'title', 'effect', 'scope'], rows);
}

const page = (name: string, entries: readonly Described[]): string =>
  `${[`# Tools: ${name}\n\n[All tools](../tools.md)`, ...entries.map(section)].join('\n')}\n`;

function section({
  tool,
  wire,
  input,
  outputSchema,
  effect,
  scope,
  confirm,
  guidance,
  examples = [],
}: Described): string {
  const parameters = schemaRows(input);
  const output = schemaRows(outputSchema ?? {});
  return [
    `\n## ${tool}\n`,
    `${wire.description}\n`,
    `Effect: ${effect}. Scope: \`${scope}\`.${confirm ? ' Needs confirmation.' : ''}\n`,
    ...(guidance === undefined ? [] : [`${guidance}\n`]),
    '**Parameters**\n',
    parameters.length === 0 ? 'None.' : table(['name', 'type', '', 'meaning'], parameters.map(parameterRow)),
    ...variantsIn(input).map(variantTable),
    ...(output.length === 0 ? [] : ['\n**Output**\n', table(['name', 'type', 'meaning'], output.map(outputRow))]),
    ...examples.map((example) => exampleOf(tool, example.title, example.arguments)),
  ].join('\n');
}

function variantTable({ path, key, of }: Variants): string {
  const fieldOf = ({ path: name, required, description, type }: SchemaRow) =>
    `\`${name}\`${required ? '' : ' (optional)'}: ${description || type}`;
  const rows = of.map(({ value, rows: fields }) => [`\`${value}\``, fields.map(fieldOf).join('<br>')]);
  return `\nThe \`${key}\` of each of \`${path}\` decides its other fields:\n\n${table([`\`${key}\``, 'with'], rows)}`;
}

const outputRow = ({ path, type, required, description }: SchemaRow): string[] => [
  `\`${path}\`${required ? '' : ' (optional)'}`,
  type,
  description,
];

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
  for (const [path, text] of await toolReference()) {
    const file = fileURLToPath(new URL(`../docs/${path}`, import.meta.url));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    console.log(`Written: docs/${path}`);
  }
}
