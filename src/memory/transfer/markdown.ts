import { parse } from 'yaml';
import { messageOf } from '../../kernel/errors.ts';
import type { Pace } from '../../kernel/pace.ts';
import type { Json } from '../../kernel/source.ts';
import type { NewImport, Parsed, Problem } from './item.ts';
import { checked, tagsOf, timeOf } from './memory-in.ts';
import { isOwnMarkdown, readOwnMarkdown } from './own-markdown.ts';
import { sectionsOf } from './sections.ts';

const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;
/** Metadata has a limit, and every section has this. As JSON; as YAML it may be longer. */
const MOST_FRONT_MATTER = 5000;
const MOST_YAML = 20_000;
const LONGEST_HEADING = 1000;
const TIMES = ['created', 'created_at', 'date', 'recorded_at'];

/** A memory for each section of a file. The front matter is metadata of all. */
export async function readMarkdown(text: string, source: string, pace: Pace): Promise<Parsed> {
  if (isOwnMarkdown(text)) return readOwnMarkdown(text, pace);
  const { metadata, tags, recordedAt, body, problem } = withoutFrontMatter(text);
  const problems: Problem[] = problem === undefined ? [] : [{ line: 1, reason: problem }];
  const memories: NewImport[] = [];
  let line = text.slice(0, text.length - body.length).split('\n').length;
  for (const section of await sectionsOf(body, pace)) {
    await pace();
    const trimmed = section.text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
    try {
      if (trimmed !== '')
        memories.push(
          checked({
            text: trimmed,
            tags,
            metadata: {
              ...metadata,
              source,
              ...(section.headings.length > 0 && {
                heading: section.headings.join(' > ').slice(0, LONGEST_HEADING).toWellFormed(),
              }),
            },
            ...(recordedAt !== undefined && { recordedAt }),
          }),
        );
    } catch (error) {
      problems.push({ line, reason: messageOf(error) });
    }
    line += section.text.split('\n').length - 1;
  }
  return { memories, graph: [], problems };
}

interface Front {
  readonly metadata: Json;
  readonly tags: string[];
  readonly recordedAt?: number;
  readonly body: string;
  readonly problem?: string;
}

/** The body begins after the front matter. If that cannot be read, it stays in the body: nothing is lost. */
function withoutFrontMatter(text: string): Front {
  const none = { metadata: {}, tags: [], body: text };
  const found = text.startsWith('---') ? FRONT_MATTER.exec(text) : null;
  if (found?.index !== 0 || (found[1] ?? '').length > MOST_YAML) return none;
  try {
    const value: unknown = JSON.parse(JSON.stringify(parse(found[1] ?? '', { schema: 'core' }) ?? {}));
    // Two rules with text between them, or so much that it is a text.
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return none;
    if (JSON.stringify(value).length > MOST_FRONT_MATTER) return none;
    const { tags, ...rest } = value as Json;
    const given = new Map(Object.entries(rest));
    const recordedAt = TIMES.map((key) => timeOf(given.get(key))).find((time) => time !== undefined);
    const metadata = Object.fromEntries(
      [...given].map(([key, one]) => [key === 'source' || key === 'heading' ? `note_${key}` : key, one]),
    );
    const listed = tagsOf(Array.isArray(tags) ? tags.map((tag) => String(tag)) : tags).map((tag) =>
      tag.replace(/^#/, ''),
    );
    return {
      metadata,
      tags: listed,
      ...(recordedAt !== undefined && { recordedAt }),
      body: text.slice(found[0].length),
    };
  } catch (error) {
    return { ...none, problem: `The front matter cannot be read, and stays in the text: ${messageOf(error)}` };
  }
}
