import type { Listed, Why } from './shapes.ts';

/** Whether a memory holds now, in a few words; undefined if nothing is unusual. */
export function validityOf(memory: Pick<Listed, 'valid_from' | 'valid_to'>, now: number): string | undefined {
  const { valid_from: from, valid_to: to } = memory;
  if (to !== undefined && Date.parse(to) <= now) return `was true until ${day(to)}`;
  if (from !== undefined && Date.parse(from) > now) return `true from ${day(from)}`;
  if (to !== undefined) return `true until ${day(to)}`;
  return from === undefined ? undefined : `true since ${day(from)}`;
}

const day = (time: string): string => new Date(time).toLocaleDateString();

/** Why a search found it. */
export function whyWords({ words = [], related = [], meaning }: Why): string {
  return [
    ...(words.length > 0 ? [`words: ${words.join(', ')}`] : []),
    ...(related.length > 0 ? [`related: ${related.join(', ')}`] : []),
    ...(meaning === undefined || meaning <= 0 ? [] : [`meaning ${Math.round(meaning * 100)} %`]),
  ].join(' · ');
}

/** The first line of a text, for a title. */
export function titleOf(text: string): string {
  const [line = ''] = text.trimStart().slice(0, 400).split('\n');
  return line.length > 90 ? `${line.slice(0, 89).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}

/** `a, b` as tags. */
export const tagsIn = (text: string): string[] => [...new Set(text.split(',').flatMap((tag) => tag.trim() || []))];
