/** A line of a job's log, without its timestamp and colours. */
export interface LogLine {
  readonly number: number;
  /** When it was written, in milliseconds; undefined if the line has no timestamp. */
  readonly at: number | undefined;
  readonly kind: 'error' | 'warning' | 'group' | 'plain';
  readonly text: string;
}

/** What is longer is cut: a single line may have megabytes. */
const MOST_OF_LINE = 400;
/** Kept of a line while it is read: more than is shown, because of colours and the timestamp. */
const MOST_RAW = 4_000;

const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d*Z ?/;
// oxlint-disable-next-line no-control-regex -- escape sequences of terminals begin with this character
const TERMINAL = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
// oxlint-disable-next-line no-control-regex -- what is left has no place in a text
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
const MARK = /^##\[(error|warning|group|endgroup|command|section|debug|notice)\]/;

/** The lines of a log, read piece by piece: no more than one line is ever held. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LogLine> {
  const decoder = new TextDecoder('utf-8');
  let number = 0;
  let begun = '';
  let isBegun = false;
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    begun = joined(begun, first);
    isBegun ||= first !== '';
    for (const next of others) {
      number += 1;
      yield lineOf(begun, number);
      begun = joined('', next);
      isBegun = next !== '';
    }
  }
  if (isBegun) yield lineOf(begun, number + 1);
}

const joined = (begun: string, more: string): string =>
  begun.length >= MOST_RAW ? begun : (begun + more.slice(0, MOST_RAW)).slice(0, MOST_RAW);

/** What is left of a line as the runner writes it: `2026-11-16T10:00:00.1234567Z ##[error]Process completed …`. */
export function lineOf(raw: string, number: number): LogLine {
  const stamp = TIMESTAMP.exec(raw.replace(/^\ufeff/, ''));
  const rest = raw
    .replace(/^\ufeff/, '')
    .slice(stamp?.[0].length ?? 0)
    .replace(TERMINAL, '');
  // A progress bar writes over itself: only what it wrote last is to be seen.
  const seen = rest.replace(/\r+$/, '').split('\r').at(-1) ?? '';
  const clean = seen.replace(CONTROL, '');
  const word = MARK.exec(clean)?.[1];
  const kind = word === 'error' || word === 'warning' || word === 'group' ? word : 'plain';
  const at = stamp?.[1] === undefined ? undefined : Date.parse(`${stamp[1]}Z`);
  return { number, at, kind, text: cut(textOf(word, clean)) };
}

function textOf(word: string | undefined, clean: string): string {
  if (word === undefined) return clean;
  const said = clean.slice(word.length + '##[]'.length);
  switch (word) {
    case 'endgroup':
      return '';
    case 'group':
      return `> ${said}`;
    case 'command':
      return `$ ${said}`;
    case 'section':
      return said;
    default:
      return `${word}: ${said}`;
  }
}

function cut(text: string): string {
  if (text.length <= MOST_OF_LINE) return text;
  return `${text.slice(0, MOST_OF_LINE).replace(/[\ud800-\udbff]$/, '')}…`;
}
