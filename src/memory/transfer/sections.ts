import type { Pace } from '../../kernel/pace.ts';

export interface Section {
  readonly text: string;
  /** Its headings, from the outermost. */
  readonly headings: readonly string[];
}

/** Longer sections are split: a memory that is found should be worth reading. */
const LONGEST = 50_000;

const ATX = /^ {0,3}(#{1,6})(?:[ \t](.*))?\r?\n?$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)/;
const UNDERLINE = /^ {0,3}(=+|-{2,})[ \t]*\r?\n?$/;
/** What no underline makes a heading: lists, quotes, tables, and blank lines. */
const NO_TITLE = /^\s*$|^ {0,3}(?:[-*+>|]|\d+[.)]\s)|^ {4}|^\t/;

/** Splits Markdown by headings. Joined, the texts of the sections are exactly the text. */
export async function sectionsOf(text: string, pace: Pace): Promise<Section[]> {
  const sections: { text: string; headings: string[]; isTitleOnly: boolean }[] = [];
  const path: { level: number; title: string }[] = [];
  let fence: string | undefined;
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  for (const [at, line] of lines.entries()) {
    await pace();
    const heading = fence === undefined ? headingOf(line, lines[at + 1], lines[at - 1]) : undefined;
    fence = fenceAfter(line, fence);
    if (heading) {
      while (path.length > 0 && (path.at(-1)?.level as number) >= heading.level) path.pop();
      path.push(heading);
    }
    const last = sections.at(-1);
    const headings = path.map(({ title }) => title);
    // A title with nothing under it belongs to what follows.
    if (last && heading && last.isTitleOnly) Object.assign(last, { text: last.text + line, headings });
    else if (!last || heading) sections.push({ text: line, headings, isTitleOnly: heading !== undefined });
    else {
      last.text += line;
      if (line.trim() !== '' && !UNDERLINE.test(line)) last.isTitleOnly = false;
    }
  }
  return sections.flatMap(({ text: whole, headings }) => split(whole).map((part) => ({ text: part, headings })));
}

function headingOf(line: string, next = '', before = '') {
  const atx = ATX.exec(line);
  if (atx) return { level: (atx[1] as string).length, title: unclosed((atx[2] ?? '').trim()) };
  // Only a paragraph of one line: a longer one would need all its lines.
  const rule = NO_TITLE.test(line) || before.trim() !== '' ? null : UNDERLINE.exec(next);
  return rule ? { level: rule[1]?.startsWith('=') ? 1 : 2, title: line.trim() } : undefined;
}

/** `Title ##` is closed by its last word. No pattern: one that finds it takes quadratic time in the spaces of a title. */
function unclosed(title: string): string {
  let end = title.length;
  while (title.charAt(end - 1) === '#') end -= 1;
  return /[ \t]/.test(title.charAt(end - 1)) ? title.slice(0, end).trimEnd() : title;
}

/** The fence of the code block that is open after this line. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const [, fence, rest = ''] = FENCE.exec(line) ?? [];
  if (fence === undefined) return open;
  if (open === undefined) return fence.startsWith('`') && rest.includes('`') ? undefined : fence;
  return fence.startsWith(open) && rest.trim() === '' ? undefined : open;
}

/** Splits a long text at a blank line, else at a line, else anywhere but inside a character. */
function split(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > LONGEST) {
    const head = rest.slice(0, LONGEST);
    const found = [head.lastIndexOf('\n\n') + 2, head.lastIndexOf('\n') + 1, head.lastIndexOf(' ') + 1];
    let at = found.find((place) => place > LONGEST / 2) ?? LONGEST;
    if (/[\uD800-\uDBFF]/.test(rest.charAt(at - 1))) at -= 1;
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...parts, rest];
}
