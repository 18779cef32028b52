import { createHash } from 'node:crypto';
import { messageOf } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import type { Memory } from '../engine.ts';
import type { NewImport, Parsed, Problem } from './item.ts';
import { memoryIn } from './memory-in.ts';
import { lineOf } from './own-lines.ts';

const START = '<!-- sluice:memory ';
const END = ' -->\n';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** A memory as Markdown: its text, after a comment with everything else. */
export function markdownOf(memory: Memory): string {
  const { text, type: _type, root: _root, supersedes: _supersedes, ...rest } = JSON.parse(lineOf(memory)) as Json;
  const head = JSON.stringify({ ...rest, characters: memory.text.length, digest: digest(memory.text) });
  // A comment ends at the first two dashes. Inside the quotes of JSON a dash can be written as an escape.
  return `${START}${head.replaceAll('--', '-\\u002d')}${END}${text as string}\n\n`;
}

export const isOwnMarkdown = (text: string): boolean => text.startsWith(START);

export function readOwnMarkdown(text: string): Parsed {
  const memories: NewImport[] = [];
  const problems: Problem[] = [];
  for (let at = 0; at < text.length; ) {
    const line = text.slice(0, at).split('\n').length;
    const headEnd = text.indexOf(END, at);
    const start = headEnd === -1 ? text.length : headEnd + END.length;
    const head = headIn(text.slice(at + START.length, headEnd === -1 ? undefined : headEnd));
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
    at = nextStart(text, end);
  }
  return { memories, graph: [], problems };
}

function headIn(json: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(json);
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
