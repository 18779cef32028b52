import { didYouMean, fold, inQuotes, nearestNames } from '../../kernel/nearest-names.ts';
import type { Subject } from '../subject/subject.ts';

export interface NodeNameMeant {
  /** The same but for case and spaces. */
  readonly certain?: string;
  readonly near: readonly string[];
}

/** Comparing with every name costs; ten thousand dangling ends are not worth minutes. */
const MOST_COMPARED = 200_000;

const bare = (name: string): string => fold(name).replace(/\s+/g, '');

/** Which node a name that no node has was probably meant to be. */
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
