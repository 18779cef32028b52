import { createHash } from 'node:crypto';
import type { RefuseSecrets } from '../kernel/no-secrets.ts';
import { createPace } from '../kernel/pace.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Quota } from '../kernel/quota.ts';
import type { CallContext } from '../kernel/source.ts';
import { bytesOf } from './bytes-of.ts';
import type { Memory, MemoryEngine, NewMemory, Provenance } from './engine.ts';
import type { Namespaces } from './namespaces/namespaces.ts';
import { newId } from './new-id.ts';
import { newPassages } from './new-passages.ts';
import { checkLabels, checkText } from './text.ts';
import { checkPeriod, iso } from './times.ts';
import type { NewImport } from './transfer/item.ts';

export interface Imported {
  readonly namespace: string;
  readonly added: number;
  /** Were there already. */
  readonly known: number;
  /** Had expired, and were left out. */
  readonly expired: number;
}

/**
 * Adds memories as they were: all or none, except that versions of a memory that is there already are added one by one.
 * A memory whose origin or id is in the namespace already is left out, so an import can be repeated.
 */
export function createImporter(deps: {
  readonly engine: MemoryEngine;
  readonly namespaces: Namespaces;
  readonly refuseSecrets: RefuseSecrets;
  readonly quota: Quota;
  now(): number;
  /** Called after memories were added. */
  added(namespace: string, roots: readonly string[], principal: Principal): Promise<void>;
  by(context: CallContext): Provenance;
}) {
  const { engine, namespaces, now } = deps;

  return async (
    memories: readonly NewImport[],
    namespace: string | undefined,
    context: CallContext,
  ): Promise<Imported> => {
    const at = now();
    const name = await namespaces.forWriting(namespace, context.principal);
    const stored = await here(memories, name);
    const expired = expiredAt(at, memories);
    const placed = new Map<string, Placed>();
    const made: Placed[] = [];
    for (const one of memories)
      if (!expired.has(one) && !(one.id !== undefined && (stored.known.has(one.id) || placed.has(one.id))))
        made.push(placeFor(one));

    const pace = createPace();
    const prepared: { readonly next: NewMemory; readonly end: number | undefined }[] = [];
    for (const { memory, end } of made)
      prepared.push({ next: { memory, passages: await newPassages(memory.text, pace) }, end });

    const bytes = made.reduce((sum, { memory }) => sum + bytesOf(memory), 0);
    const added = await deps.quota.within(context.principal, bytes, async () => {
      const ids = new Set(await engine.add(prepared.filter(({ end }) => end === undefined).map(({ next }) => next)));
      for (const { next, end } of prepared)
        if (end !== undefined && (await engine.supersede(next.memory.supersedes as string, end, next)))
          ids.add(next.memory.id);
      return ids;
    });
    const roots = new Set(made.filter(({ memory }) => added.has(memory.id)).map(({ memory }) => memory.root));
    if (added.size > 0) await deps.added(name, [...roots], context.principal);
    const known = memories.length - expired.size - added.size;
    return { namespace: name, added: added.size, known, expired: expired.size };

    /** A new memory, or the next version of one that is stored or in this batch. */
    function placeFor(one: NewImport): Placed {
      checkText(one.text);
      checkLabels(one);
      const { text, tags, metadata, origin, by } = one;
      deps.refuseSecrets({ text, tags, metadata, origin, by });
      const recordedAt = Math.min(one.recordedAt ?? at, at);
      const validFrom = one.validFrom ?? recordedAt;
      checkPeriod(validFrom, one.validTo);
      const id = one.id === undefined ? newId(at) : stored.taken.has(one.id) ? copyOf(one.id, name) : one.id;
      const before =
        one.supersedes === undefined ? undefined : (placed.get(one.supersedes) ?? storedOne(one.supersedes));
      // Of two successors one is a memory of its own.
      const last = before?.memory.supersededBy === undefined ? before : undefined;
      const memory: Memory = {
        id,
        root: last?.memory.root ?? id,
        namespace: name,
        text: one.text,
        tags: [...new Set(one.tags)],
        metadata: one.metadata ?? {},
        recordedAt,
        validFrom,
        ...(one.validTo !== undefined && { validTo: one.validTo }),
        ...(one.expiresAt !== undefined && { expiresAt: one.expiresAt }),
        pinned: one.pinned === true,
        ...(last && { supersedes: last.memory.id }),
        ...(one.origin !== undefined && { origin: one.origin }),
        by: { ...deps.by(context), imported_at: iso(at), ...(one.by && { originally: one.by }) },
        recalls: one.recalls ?? 0,
        ...(one.recalledAt !== undefined && { recalledAt: one.recalledAt }),
      };
      const isLater = last !== undefined && (last.isStored || last.end !== undefined);
      if (last && !isLater) last.memory = { ...last.memory, supersededBy: id };
      const end = isLater ? (last.memory.validTo ?? Math.max(validFrom, last.memory.validFrom)) : undefined;
      const place: Placed = { memory, end, isStored: false };
      if (one.id !== undefined) placed.set(one.id, place);
      return place;
    }

    function storedOne(id: string): Placed | undefined {
      const memory = stored.known.get(id);
      return memory && { memory, end: undefined, isStored: true };
    }
  };

  /** Which ids are in this namespace already, and which are another namespace's. */
  async function here(memories: readonly NewImport[], name: string) {
    const ids = memories.flatMap(({ id, supersedes }) => [id, supersedes].filter((one) => one !== undefined));
    const found = new Map(
      (await engine.get([...new Set(ids.flatMap((id) => [id, copyOf(id, name)]))])).map((memory) => [
        memory.id,
        memory,
      ]),
    );
    const known = new Map<string, Memory>();
    const taken = new Set<string>();
    for (const id of ids) {
      const same = [found.get(id), found.get(copyOf(id, name))].find((memory) => memory?.namespace === name);
      if (same) known.set(id, same);
      else if (found.has(id)) taken.add(id);
    }
    return { known, taken };
  }
}

interface Placed {
  memory: Memory;
  /** If its predecessor is stored before it: when that one ended. */
  readonly end: number | undefined;
  readonly isStored: boolean;
}

/** The expiry of the last version holds for all. Earlier versions come first. */
function expiredAt(at: number, memories: readonly NewImport[]): Set<NewImport> {
  const successors = new Map(memories.map((memory) => [memory.supersedes, memory]));
  const expired = new Set<NewImport>();
  for (const memory of memories.toReversed()) {
    const next = memory.id === undefined ? undefined : successors.get(memory.id);
    if (next ? expired.has(next) : (memory.expiresAt ?? Infinity) <= at) expired.add(memory);
  }
  return expired;
}

/** The id of a copy: the same each time, so that a second import finds it. */
const copyOf = (id: string, namespace: string): string =>
  `c${createHash('sha256').update(`${namespace}\0${id}`).digest('hex').slice(0, 24)}`;
