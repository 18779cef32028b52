/** `npm run docs`: writes each listed.json, from which a start lists tools without loading their code. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { blueprintTools } from '../src/blueprints/tools.ts';
import { recipeTools } from '../src/blueprints/recipes/tools.ts';
import { graphTools } from '../src/graph/tools.ts';
import { listedTool } from '../src/kernel/listed-tool.ts';
import type { AnyTool } from '../src/kernel/tool.ts';
import { memoryTools } from '../src/memory/tools.ts';
import { known } from '../src/modules/known.ts';
import { projectTools } from '../src/projects/tools.ts';

/** The tools that are listed without their code, by folder. */
export const listedFamilies: ReadonlyMap<string, readonly AnyTool<never>[]> = new Map<
  string,
  readonly AnyTool<never>[]
>([
  ['blueprints', blueprintTools],
  ['blueprints/recipes', recipeTools],
  ['graph', graphTools],
  ['memory', memoryTools],
  ['projects', projectTools],
  ...(await Promise.all(
    [...known].map(async ([name, { load }]) => [`modules/${name}`, await (await load()).tools()] as const),
  )),
]);

export const listedText = (tools: readonly AnyTool<never>[]): string =>
  `${JSON.stringify(tools.map(listedTool), null, 2)}\n`;

if (import.meta.main)
  for (const [folder, tools] of listedFamilies)
    await writeFile(fileURLToPath(new URL(`../src/${folder}/listed.json`, import.meta.url)), listedText(tools));
