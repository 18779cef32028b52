import { linkText } from '../../nodes/links.ts';
import type { Change } from './value-changes.ts';
import type { NodeDiff, WorkflowDiff } from './workflow-diff.ts';

const LONGEST_VALUE = 120;
const MOST_LINES = 12;

/** A diff as short lines for people and models. Empty: nothing differs. */
export function describeDiff(diff: WorkflowDiff): string[] {
  const { properties, nodes, connections, pinned, tags, groups, staticData } = diff;
  return [
    ...properties.map((change) => `~ ${changeText(change)}`),
    ...nodes.added.map(({ name, type }) => `+ node "${name}" (${type})`),
    ...nodes.removed.map(({ name, type }) => `- node "${name}" (${type})`),
    ...nodes.changed.flatMap(nodeLines),
    ...connections.added.map((link) => `+ connection ${linkText(link)}`),
    ...connections.removed.map((link) => `- connection ${linkText(link)}`),
    ...pinned.map((name) => `~ pinned data of "${name}"`),
    ...tags.added.map((name) => `+ tag "${name}"`),
    ...tags.removed.map((name) => `- tag "${name}"`),
    ...(groups ? ['~ groups of nodes'] : []),
    ...(staticData ? ['~ static data (what the workflow remembers between runs)'] : []),
  ];
}

function nodeLines({ name, renamedFrom, moved, changes }: NodeDiff): string[] {
  const node = `node "${name}"`;
  return [
    ...(renamedFrom === undefined ? [] : [`~ node "${renamedFrom}" is now called "${name}"`]),
    ...changes.map((change) => `~ ${node}: ${changeText(change)}`),
    ...(moved ? [`~ ${node} moved from ${pointText(moved.from)} to ${pointText(moved.to)}`] : []),
  ];
}

const pointText = (point: readonly number[] | undefined): string => (point ? `[${point.join(', ')}]` : 'nowhere');

function changeText({ path, before, after }: Change): string {
  if (before === undefined) return `${path} set to ${valueText(after)}`;
  if (after === undefined) return `${path} removed (was ${valueText(before)})`;
  if (typeof before === 'string' && typeof after === 'string' && (before.includes('\n') || after.includes('\n'))) {
    return `${path}: ${linesText(before, after)}`;
  }
  return `${path}: ${valueText(before)} -> ${valueText(after)}`;
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters)` : text;
}

/** The lines that differ in a multi-line text: code, SQL, a prompt. */
function linesText(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const cut = (lines: string[], sign: string) => {
    const shown = lines.slice(0, MOST_LINES).map((line) => `\n    ${sign} ${lineText(line)}`);
    return [
      ...shown,
      ...(lines.length > MOST_LINES ? [`\n    ${sign} … ${lines.length - MOST_LINES} more lines`] : []),
    ];
  };
  const removed = cut(old.slice(head, old.length - tail), '-');
  const added = cut(now.slice(head, now.length - tail), '+');
  return `from line ${head + 1}${[...removed, ...added].join('')}`;
}

const lineText = (line: string): string => (line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE)}…` : line);
