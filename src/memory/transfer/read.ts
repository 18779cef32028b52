import { createPace, type Pace } from '../../kernel/pace.ts';
import type { Format, Parsed } from './item.ts';
import { readJson } from './json.ts';
import { readJsonl } from './jsonl.ts';
import { readMarkdown } from './markdown.ts';
import { withOrigins } from './origins.ts';

/** What a file contains. Others run in between, since a file may be long. `source` is its name, which origins and the metadata of Markdown have. Throws if it is not what it says. */
export async function readContent(content: string, source: string, format: Format | 'auto' = 'auto'): Promise<Parsed> {
  const text = content.replace(/^\uFEFF/, '');
  if (text.trim() === '') return { memories: [], graph: [], problems: [] };
  const pace = createPace();
  const parsed = await readers[format === 'auto' ? formatOf(text, source) : format](text, source, pace);
  return { ...parsed, memories: await withOrigins(parsed.memories, source, pace) };
}

type Reader = (text: string, source: string, pace: Pace) => Promise<Parsed>;

const readers: Readonly<Record<Format, Reader>> = {
  jsonl: (text, _, pace) => readJsonl(text, pace),
  json: (text, _, pace) => readJson(text, pace),
  markdown: readMarkdown,
};

/** By the name of the file, then by how it begins. */
function formatOf(text: string, source: string): Format {
  if (/\.(?:md|mdx|markdown|txt)$/i.test(source)) return 'markdown';
  if (/\.(?:jsonl|ndjson)$/i.test(source)) return 'jsonl';
  const start = text.trimStart();
  const isJson = /\.json$/i.test(source) || /^[[{]/.test(start);
  if (!isJson) return 'markdown';
  // server-memory once called its lines memory.json.
  const [first = ''] = start.split('\n', 1);
  const hasMore = start.slice(first.length).trim() !== '';
  return hasMore && isJsonObject(first) ? 'jsonl' : 'json';
}

function isJsonObject(line: string): boolean {
  try {
    return line.startsWith('{') && typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}
