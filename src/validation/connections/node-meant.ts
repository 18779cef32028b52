import { didYouMean, fold, inQuotes, nearestNames } from '../../kernel/nearest-names.ts';
import type { Subject } from '../subject/subject.ts';

export interface NodeNameMeant {
  /** The same name except for case and spaces. */
  readonly certain?: string;
  readonly near: readonly string[];
}

/** Comparing names is slow: ten thousand dangling connections would take minutes. */
const MOST_COMPARED = 200_000;

const bare = (name: string): string => fold(name).replace(/\s+/g, '');

/** The node that an unknown name probably means. */
export function nodesMeant({ nodes }: Subject): (name: string) => NodeNameMeant {
  const names = nodes.filter(({ sticky }) => !sticky).map(({ name }) => name);
  const byBare = Map.groupBy(names, bare);
  const known = new Map<string, NodeNameMeant>();
  let left = MOST_COMPARED;
  const find = (name: string): NodeNameMeant => {
    const same = byBare.get(bare(name)) ?? [];
    const [certain] = same;
    if (certain !== undefined) return same.length === 1 ? { certain, near: same } : { near: same };
    left -= names.length;
    return { near: left < 0 ? [] : nearestNames(name, names, 3) };
  };
  return (name) => {
    let meant = known.get(name);
    if (!meant) known.set(name, (meant = find(name)));
    return meant;
  };
}

export function adviceOn({ near }: NodeNameMeant, otherwise: string): string {
  return didYouMean(inQuotes(near), otherwise);
}
