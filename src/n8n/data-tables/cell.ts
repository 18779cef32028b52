import type { Cell, ColumnType } from '../client/data-tables.ts';

export type Checked = { readonly value: Cell } | { readonly problem: string };

/**
 * A value as n8n is to store it. Stricter than n8n, which takes "2026-02-30" for the 2nd of March, "" for the number 0 and
 * `true` for the text "1".
 */
export function checkedCell(type: ColumnType, given: unknown): Checked {
  if (given === null || given === undefined) return { value: null };
  if (typeof given === 'object' || typeof given === 'function') return wrong(type, given);
  if (typeof given === 'number' && isRounded(given)) return tooLong(String(given), 'Pass it as a text, in quotes');
  return checks[type](given);
}

/** The same for a text of a CSV file, where an empty field of any type but text means no value. */
export function cellFromText(type: ColumnType, text: string | null): Checked {
  if (text === null) return { value: null };
  if (type === 'string') return checks.string(text);
  const bare = text.trim();
  return bare === '' ? { value: null } : checks[type](bare);
}

const checks: Readonly<Record<ColumnType, (given: unknown) => Checked>> = {
  string(given) {
    const text = String(given);
    // PostgreSQL cannot store it, and n8n then answers "Internal server error".
    return text.includes('\0') ? { problem: 'contains a NUL character, which n8n cannot store' } : { value: text };
  },
  number(given) {
    if (typeof given === 'number') return Number.isFinite(given) ? { value: given } : wrong('number', given);
    const read = typeof given === 'string' ? numberIn(given.trim()) : undefined;
    return read === undefined ? wrong('number', given) : read;
  },
  boolean(given) {
    const word = String(given).trim().toLowerCase();
    if (word === 'true' || word === '1') return { value: true };
    return word === 'false' || word === '0' ? { value: false } : wrong('boolean', given);
  },
  date(given) {
    const read = typeof given === 'string' ? instantIn(given.trim()) : undefined;
    return read === undefined ? wrong('date', given) : { value: read };
  },
};

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function numberIn(text: string): Checked | undefined {
  if (text.length > 400 || !NUMBER.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  if (/^[+-]?\d+$/.test(text) && BigInt(value) !== BigInt(text) && String(value) !== text) {
    return tooLong(text, 'Use a text column');
  }
  // n8n stores 0.
  return { value: value === 0 ? 0 : value };
}

/** Whether JSON may have changed the number: a long integer that is not written with an exponent. */
export const isRounded = (value: number): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21;

const tooLong = (text: string, remedy: string): Checked => ({
  problem: `${brief(text)} has too many digits for a number, which would be rounded. ${remedy}`,
});

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** The moment of an ISO 8601 date or time, in UTC. A time without an offset is UTC. */
export function instantIn(text: string): string | undefined {
  const match = text.length > 40 ? null : DATE.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = match;
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? [];
  const zone = sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
  const ms = fraction.slice(0, 3).padEnd(3, '0');
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}`;
  // A day or hour that does not exist would become another one.
  const plain = new Date(`${local}Z`);
  if (Number.isNaN(plain.getTime()) || plain.toISOString() !== `${local}Z`) return undefined;
  const instant = new Date(`${local}${zone}`);
  const moment = Number.isNaN(instant.getTime()) ? '' : instant.toISOString();
  // In UTC it may be in a year that n8n does not take.
  return /^\d{4}-/.test(moment) ? moment : undefined;
}

const wanted: Readonly<Record<ColumnType, string>> = {
  string: 'a text',
  number: 'a number such as 12 or -3.5',
  boolean: 'true or false',
  date: 'a date such as 2026-11-30 or 2026-11-30T08:00:00Z',
};

function wrong(type: ColumnType, given: unknown): Checked {
  const isPlain = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean';
  const is = isPlain ? brief(String(given)) : Array.isArray(given) ? 'a list' : 'an object';
  return { problem: `${is} is not ${wanted[type]}` };
}

const brief = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
