import { durationIn, type Event, textIn } from './event.ts';

const columns: readonly (readonly [title: string, value: (event: Event) => string])[] = [
  ['id', ({ id }) => String(id)],
  ['timestamp', ({ timestamp }) => timestamp],
  ['event_type', ({ event_type }) => event_type],
  ['status', ({ status }) => status],
  ['trace_id', ({ trace_id }) => trace_id],
  ['source', (event) => textIn(event, 'source') ?? textIn(event, 'backend') ?? ''],
  ['tool', (event) => textIn(event, 'tool') ?? ''],
  ['principal', (event) => textIn(event, 'principal') ?? ''],
  ['ms', (event) => String(durationIn(event) ?? '')],
  ['reason', (event) => textIn(event, 'reason') ?? ''],
  ['data', ({ data }) => JSON.stringify(data)],
];

export const csvHead = `${columns.map(([title]) => title).join(',')}\r\n`;

export const csvLine = (event: Event): string => `${columns.map(([, value]) => cell(value(event))).join(',')}\r\n`;

/** A spreadsheet would run what begins like a formula. With an apostrophe in front it is text. */
function cell(text: string): string {
  const harmless = /^[\s\0]*[=+\-@＝＋－＠]/.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",;\r\n\t']|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export const jsonLine = (event: Event): string => `${JSON.stringify(event)}\n`;
