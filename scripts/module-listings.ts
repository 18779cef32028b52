/** `npm run docs`: writes src/modules/<name>/listed.json, from which a start lists tools without loading their code. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { listedTool } from '../src/kernel/own-source.ts';
import { known } from '../src/modules/known.ts';

/** The content of each file, by its path from src/modules/. */
export async function moduleListings(): Promise<Map<string, string>> {
  const each = [...known].map(async ([name, { load }]): Promise<[string, string]> => {
    const tools = await (await load()).tools();
    return [`${name}/listed.json`, `${JSON.stringify(tools.map(listedTool), null, 2)}\n`];
  });
  return new Map(await Promise.all(each));
}

if (import.meta.main)
  for (const [path, text] of await moduleListings())
    await writeFile(fileURLToPath(new URL(`../src/modules/${path}`, import.meta.url)), text);
