import { Cron } from 'croner';

interface Part {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const parts: readonly Part[] = [
  { name: 'second', least: 0, most: 59 },
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, names: months },
  { name: 'weekday', least: 0, most: 7, names: weekdays },
];

/** The only @-names that n8n knows. */
const presets = new Set([
  '@yearly',
  '@monthly',
  '@weekly',
  '@daily',
  '@hourly',
  '@minutely',
  '@secondly',
  '@weekdays',
  '@weekends',
]);

/** Why n8n refuses a schedule, or why it never comes due; `undefined` for a valid one. */
export function cronProblem(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase();
  if (trimmed.startsWith('@')) {
    return presets.has(trimmed)
      ? undefined
      : `there is no ${trimmed.slice(0, 30)}; write five parts, or one of ${[...presets].join(', ')}`;
  }
  const given = trimmed.split(/\s+/);
  if (given.length < 5 || given.length > 6) {
    return `it has ${given.length} ${given.length === 1 ? 'part' : 'parts'} but must have five (minute, hour, day of the month, month, weekday) or six (with the second first)`;
  }
  const wanted = parts.slice(parts.length - given.length);
  for (const [index, part] of wanted.entries()) {
    const problem = problemOf(given[index] as string, part);
    if (problem !== undefined) return `the ${part.name} ${problem}`;
  }
  return comesDue(given.join(' ')) ? undefined : 'it never comes due, because that day does not exist';
}

function problemOf(text: string, part: Part): string | undefined {
  if (text.length > 200) return 'is too long';
  for (const item of text.split(',')) {
    const [range, stepText, ...rest] = item.split('/');
    if (rest.length > 0 || range === undefined || range === '') return `"${text}" is not valid`;
    if (stepText !== undefined) {
      if (!/^\d+$/.test(stepText)) return `has the step "${stepText}", which is not a number`;
      if (Number(stepText) === 0) return 'has a step of 0';
    }
    if (range === '*' || range === '?') continue;
    const [from, to, ...more] = range.split('-').map((one) => valueOf(one, part));
    if (more.length > 0 || from === undefined || (range.includes('-') && to === undefined))
      return `"${item}" is not valid`;
    for (const value of to === undefined ? [from] : [from, to]) {
      if (value < part.least || value > part.most) return `is ${value}, but must be from ${part.least} to ${part.most}`;
    }
    if (to !== undefined && from > to) return `"${range}" runs backwards`;
  }
  return undefined;
}

function valueOf(text: string, { names, least }: Part): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const index = names?.indexOf(text) ?? -1;
  return index < 0 ? undefined : index + least;
}

function comesDue(pattern: string): boolean {
  // Only a fixed day in fixed months may not exist: skip the search for all others.
  if (!/^(\S+ )?\S+ \S+ (29|30|31)(,(29|30|31))* [\da-z,-]+ [*?]$/.test(pattern)) return true;
  try {
    return new Cron(pattern.replaceAll('?', '*'), { paused: true }).nextRun() !== null;
  } catch {
    return true;
  }
}
