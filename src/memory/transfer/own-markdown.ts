import { createHash } from 'node:crypto';
import { messageOf } from '../../kernel/errors.ts';
import type { Pace } from '../../kernel/pace.ts';
import type { Json } from '../../kernel/source.ts';
import type { Memory } from '../engine.ts';
import type { NewImport, Parsed, Problem } from './item.ts';
import { memoryIn } from './memory-in.ts';
import { lineOf } from './own-lines.ts';

const START = '<!-- sluice:memory ';
const END = ' -->';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** A memory as Markdown: its text, after a comment with everything else. */
export function markdownOf(memory: Memory): string {
  const { text, type: _type, root: _root, supersedes: _supersedes, ...rest } = JSON.parse(lineOf(memory)) as Json;
  const head = JSON.stringify({ ...rest, characters: memory.text.length, digest: digest(memory.text) });
  // A comment ends at the first two dashes. Inside the quotes of JSON a dash can be written as an escape.
  return `${START}${head.replaceAll('--', '-\\u002d')}${END}\n${text as string}\n\n`;
}

export const isOwnMarkdown = (text: string): boolean => text.startsWith(START);

export async function readOwnMarkdown(text: string, pace: Pace): Promise<Parsed> {
  const memories: NewImport[] = [];
  const problems: Problem[] = [];
  let line = 1;
  for (let at = 0; at < text.length; ) {
    await pace();
    const found = text.indexOf('\n', at);
    const lineEnd = found === -1 ? text.length : found;
    const head = headIn(text.slice(at + START.length, lineEnd));
    const start = lineEnd + 1;
    const end = endOf(text, start, head);
    const body = text.slice(start, end).trimEnd();
    try {
      if (!head) throw new Error('The comment that begins a memory cannot be read.');
      const { id, digest: known, characters: _characters, ...rest } = head;
      const isUnchanged = known === digest(text.slice(start, end)) || known === digest(body);
      const whole = known === digest(text.slice(start, end)) ? text.slice(start, end) : body;
      // Somebody edited the text: it is another memory then.
      memories.push(
        memoryIn({ ...rest, type: 'memory', text: whole, ...(isUnchanged ? { id } : { origin: undefined }) }),
      );
    } catch (error) {
      problems.push({ line, reason: messageOf(error) });
    }
    const next = nextStart(text, end);
    line += text.slice(at, next).split('\n').length - 1;
    at = next;
  }
  return { memories, graph: [], problems };
}

function headIn(comment: string): Json | undefined {
  if (!comment.endsWith(END)) return undefined;
  try {
    const value: unknown = JSON.parse(comment.slice(0, -END.length));
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** Where the text ends: after as many characters as the comment says, if the next memory or the end of the file is there. */
function endOf(text: string, start: number, head: Json | undefined): number {
  const characters = head?.characters;
  if (typeof characters === 'number' && characters >= 0) {
    const rest = text.slice(start + characters, start + characters + START.length + 2);
    if (rest.trim() === '' || rest === `\n\n${START}`) return Math.min(start + characters, text.length);
  }
  return nextStart(text, start);
}

function nextStart(text: string, from: number): number {
  const found = text.indexOf(`\n${START}`, Math.max(0, from - 1));
  return found === -1 ? text.length : found + 1;
}
