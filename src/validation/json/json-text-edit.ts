import type { PatchOperation } from '../finding.ts';
import { pointerNames } from './json-pointer.ts';
import { type Scanner, scannerOf } from './json-scanner.ts';

/** Each operation scans the whole text. */
const MOST_OPERATIONS = 300;

/**
 * JSON text with a patch applied and everything else unchanged, so that a diff shows only the patch. `undefined` if the
 * patch does not fit or is too long.
 */
export function patchedText(text: string, patch: readonly PatchOperation[]): string | undefined {
  if (patch.length > MOST_OPERATIONS) return undefined;
  let result: string | undefined = text;
  for (const operation of patch) result = result && edited(result, operation);
  return result;
}

interface Member {
  readonly name: string;
  /** Where it starts: at its key, or in a list at its value. */
  readonly from: number;
  readonly valueAt: number;
  readonly end: number;
}

interface Container {
  readonly at: number;
  readonly end: number;
  readonly members: readonly Member[];
}

function edited(text: string, operation: PatchOperation): string | undefined {
  const names = pointerNames(operation.path);
  const last = names.pop();
  const scanner = scannerOf(text);
  const place = last === undefined ? undefined : containerAt(scanner, names);
  if (last === undefined || !place) return undefined;
  const inList = text[place.at] === '[';
  const index =
    inList && last === '-' ? place.members.length : place.members.findLastIndex(({ name }) => name === last);
  const member = place.members[index];
  if (operation.op === 'remove') return member && without(text, place, index, member);
  const isNew = operation.op === 'add' && (inList || !member);
  if (!isNew) return member && spliced(text, member.valueAt, member.end, valueText(text, member.from, operation.value));
  if (inList && index === -1 && Number(last) !== place.members.length) return undefined;
  return added(
    text,
    place,
    inList ? { index: index === -1 ? place.members.length : index } : { key: last },
    operation.value,
  );
}

function containerAt(scanner: Scanner, names: readonly string[]): Container | undefined {
  let container = membersOf(scanner, scanner.skipSpace(0));
  for (const name of names) {
    const member = container?.members.findLast((one) => one.name === name);
    container = member && membersOf(scanner, member.valueAt);
  }
  return container;
}

function membersOf(scanner: Scanner, at: number): Container | undefined {
  if (scanner.text[at] !== '{' && scanner.text[at] !== '[') return undefined;
  const members: Member[] = [];
  const end = scanner.members(at, (name, from, valueAt) => {
    const valueEnd = scanner.endOfValue(valueAt);
    members.push({ name, from, valueAt, end: valueEnd });
    return valueEnd;
  });
  return { at, end, members };
}

const spliced = (text: string, from: number, to: number, inserted: string) =>
  text.slice(0, from) + inserted + text.slice(to);

function without(text: string, { at, end, members }: Container, index: number, member: Member): string {
  const [before, after] = [members[index - 1], members[index + 1]];
  if (after) return spliced(text, member.from, after.from, '');
  return before ? spliced(text, before.end, member.end, '') : spliced(text, at + 1, end - 1, '');
}

function added(
  text: string,
  { at, members }: Container,
  place: { index: number } | { key: string },
  value: unknown,
): string {
  const first = members[0];
  const last = members.at(-1);
  const isSpaced =
    first === undefined
      ? /:\s/.test(text)
      : /\s/.test(text.slice(first.from, first.valueAt)) || text[first.from] !== '"';
  const before = first === undefined ? '' : text.slice(at + 1, first.from);
  const gap = before.includes('\n') ? before : isSpaced && first !== undefined ? ' ' : '';
  const key = 'key' in place ? `${JSON.stringify(place.key)}:${isSpaced ? ' ' : ''}` : '';
  const written = (from: number) => `${key}${valueText(text, from, value)}`;
  if (!first || !last) return spliced(text, at + 1, at + 1, written(at));
  const next = 'index' in place ? members[place.index] : undefined;
  if (next) return spliced(text, next.from, next.from, `${written(next.from)},${gap}`);
  return spliced(text, last.end, last.end, `,${gap}${written(last.from)}`);
}

/** A value formatted for its place: on several lines and indented only if its neighbours are. */
function valueText(text: string, at: number, value: unknown): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart, at))?.[0] ?? '';
  const isOwnLine = lineStart > 0 && indent.length === at - lineStart;
  if (!isOwnLine || typeof value !== 'object') return JSON.stringify(value);
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`);
}
