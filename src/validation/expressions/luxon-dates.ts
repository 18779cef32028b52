import type { AnyNode } from 'acorn';

/** Methods that return a date: of Luxon's DateTime, and of a date. */
const makers = new Set(
  'now local utc fromISO fromFormat fromMillis fromSeconds fromJSDate fromObject fromSQL fromHTTP fromRFC2822'.split(
    ' ',
  ),
);
const keepers = new Set('plus minus startOf endOf set setZone setLocale toUTC toLocal reconfigure'.split(' '));

/** `$now`, `DateTime.fromISO(…).plus(…)`: certainly a Luxon date. */
export function isLuxonDate(node: AnyNode): boolean {
  for (let at = node; ; ) {
    if (at.type === 'Identifier') return at.name === '$now' || at.name === '$today';
    if (at.type !== 'CallExpression' || at.callee.type !== 'MemberExpression' || at.callee.computed) return false;
    const { object, property } = at.callee;
    if (property.type !== 'Identifier') return false;
    if (object.type === 'Identifier' && object.name === 'DateTime') return makers.has(property.name);
    if (!keepers.has(property.name)) return false;
    at = object as AnyNode;
  }
}

/** Methods of Date and Moment, and their replacements in Luxon. */
export const luxonInstead: ReadonlyMap<string, string> = new Map([
  ['toISOString', '.toISO()'],
  ['getTime', '.toMillis()'],
  ['unix', '.toUnixInteger()'],
  ['getFullYear', '.year'],
  ['getMonth', '.month, which starts at 1'],
  ['getDate', '.day'],
  ['getDay', '.weekday, where Monday is 1'],
  ['getHours', '.hour'],
  ['getMinutes', '.minute'],
  ['toLocaleDateString', '.toLocaleString(), or .toFormat("yyyy-MM-dd")'],
  ['toLocaleTimeString', '.toFormat("HH:mm")'],
  ['toDateString', '.toISODate()'],
  ['add', '.plus({ days: 1 })'],
  ['addDays', '.plus({ days: 1 })'],
  ['subtract', '.minus({ days: 1 })'],
  ['subtractDays', '.minus({ days: 1 })'],
  ['isBefore', 'the operator <'],
  ['isAfter', 'the operator >'],
  ['isSame', '.hasSame(other, "day")'],
]);
