import { describeDiff, diffWorkflows } from '../diff/diff.ts';
import type { State } from './compare.ts';
import type { Form } from './form.ts';
import type { Match, Pair } from './pairs.ts';
import type { Action } from './plan.ts';

/** What a command does, or did, with one workflow. */
export interface Item {
  readonly file: string;
  readonly name: string;
  readonly id?: string;
  readonly state?: State;
  readonly action: Action | 'error';
  /** The former name of the file. */
  readonly was?: string;
  /** Why nothing happens: a conflict, or what is wrong. */
  readonly why?: readonly string[];
  /** What the side that is written gets: + added, - removed, ~ changed. */
  readonly changes?: readonly string[];
}

export interface Syncing {
  readonly force: boolean;
  readonly progress: (done: number, of: number) => void;
}

const nameOf = ({ file, held, summary }: Match): string =>
  (held && 'form' in held ? held.form.name : undefined) ?? summary?.name ?? file ?? '';

export const formIn = ({ held }: Match): Form | undefined => (held && 'form' in held ? held.form : undefined);

export function itemOf(pair: Pair, action: Item['action'], more: Partial<Item> = {}): Item {
  const id = pair.summary?.id ?? pair.entry?.id;
  return { file: pair.file, name: nameOf(pair), ...(id !== undefined && { id }), state: pair.state, action, ...more };
}

const MOST_LINES = 20;

/** The difference in short lines. */
export function changesBetween(before: Form | undefined, after: Form | undefined): string[] {
  if (!before || !after) return [];
  const of = ({ tags, ...form }: Form) => ({ ...form, tags: (tags ?? []).map(({ name }) => ({ id: name, name })) });
  const lines = describeDiff(
    diffWorkflows(
      { description: '', nodeGroups: [], ...of(before) },
      { description: '', nodeGroups: [], ...of(after) },
    ),
  );
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), `… and ${more} more`] : lines;
}
