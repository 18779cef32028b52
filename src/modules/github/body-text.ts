import { fittingItems } from '../../kernel/reply-size.ts';

const MOST = 3000;
const LEAST = 100;

/** What to show of the body of an issue, a comment or a release. */
export interface ShownBody {
  readonly body?: string;
  /** Where the rest begins, in characters. */
  readonly next_offset?: number;
}

/** Without the comments of templates, which nobody sees, and without empty lines at the ends. */
export function plainBody(given: string | null | undefined): string {
  return withoutComments((given ?? '').replaceAll('\r\n', '\n'))
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** A pattern would look for the end from each beginning, and a body of nothing but beginnings would take minutes. */
function withoutComments(text: string): string {
  let kept = '';
  let at = 0;
  for (let open = text.indexOf('<!--'); open !== -1; open = text.indexOf('<!--', at)) {
    const close = text.indexOf('-->', open + 4);
    if (close === -1) break;
    kept += text.slice(at, open);
    at = close + 3;
  }
  return kept + text.slice(at);
}

/** A part of a body, from `offset` on; none if it is empty. */
export function shownBody(given: string | null | undefined, most: number, offset = 0): ShownBody {
  const text = plainBody(given);
  const from = Math.min(offset, text.length);
  if (text.length - from <= most) return text === '' ? {} : { body: text.slice(from) };
  const part = text.slice(from, from + most).replace(/[\ud800-\udbff]$/, '');
  return { body: part, next_offset: from + part.length };
}

/** The same, as much of it as fits into a reply beside the rest. */
export function fittedBody(
  given: string | null | undefined,
  besides: object,
  { offset = 0, most = MOST }: { offset?: number | undefined; most?: number } = {},
): ShownBody {
  for (let length = most; ; length = Math.floor(length / 2)) {
    const shown = shownBody(given, length, offset);
    if (length < LEAST || fittingItems([{}, shown], besides) === 2) return shown;
  }
}
