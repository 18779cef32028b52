import type { NewImport } from './item.ts';

/** Memories with the versions of one together, an earlier one first. */
export function inGroups(memories: readonly NewImport[]): NewImport[][] {
  const byId = new Map(memories.flatMap((memory) => (memory.id === undefined ? [] : [[memory.id, memory] as const])));
  const groups: NewImport[][] = [];
  const groupOf = new Map<NewImport, NewImport[]>();
  for (const memory of memories) {
    const chain = chainOf(memory, byId, groupOf);
    let group = groupOf.get(chain[0] as NewImport);
    if (!group) groups.push((group = []));
    for (const one of chain) {
      if (groupOf.has(one)) continue;
      groupOf.set(one, group);
      group.push(one);
    }
  }
  return groups.filter((group) => group.length > 0);
}

/** A memory after those that it supersedes, from the first one that has a group. */
function chainOf(
  memory: NewImport,
  byId: ReadonlyMap<string, NewImport>,
  grouped: { has(one: NewImport): boolean },
): NewImport[] {
  const chain = new Set([memory]);
  for (let one = memory; one.supersedes !== undefined && !grouped.has(one); ) {
    const before = byId.get(one.supersedes);
    if (!before || chain.has(before)) break;
    chain.add(before);
    one = before;
  }
  return [...chain].toReversed();
}

export interface Most {
  readonly memories: number;
  readonly characters: number;
}

/** Fills batches with whole groups. Only a group that is too large for any batch is divided. */
export function batchesOf(groups: readonly (readonly NewImport[])[], most: Most): NewImport[][] {
  const batches: NewImport[][] = [];
  let batch: NewImport[] = [];
  let characters = 0;
  const flush = () => {
    if (batch.length > 0) batches.push(batch);
    batch = [];
    characters = 0;
  };
  const isFull = (count: number, size: number) =>
    batch.length > 0 && (batch.length + count > most.memories || characters + size > most.characters);
  for (const group of groups) {
    const sizes = group.map(sizeOf);
    if (
      isFull(
        group.length,
        sizes.reduce((sum, size) => sum + size, 0),
      )
    )
      flush();
    for (const [at, memory] of group.entries()) {
      if (isFull(1, sizes[at] as number)) flush();
      batch.push(memory);
      characters += sizes[at] as number;
    }
  }
  flush();
  return batches;
}

/** About as much as its line. */
const sizeOf = ({ text, metadata }: NewImport): number => text.length + JSON.stringify(metadata ?? {}).length + 300;
