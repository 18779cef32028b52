import { AppError } from '../kernel/errors.ts';
import { cursorFor, placeIn } from '../kernel/cursor.ts';
import { shown } from '../kernel/nearest-names.ts';
import { createPace } from '../kernel/pace.ts';
import type { Principal } from '../kernel/principal.ts';
import type { CallContext } from '../kernel/source.ts';
import { bytesOf } from './bytes-of.ts';
import type { Memory, NewPassage, Provenance, Wanted } from './engine.ts';
import { createImporter } from './importer.ts';
import { type Near, nearIn } from './near.ts';
import { newId } from './new-id.ts';
import { newPassages } from './new-passages.ts';
import { passagesOf } from './passages.ts';
import { createSearch } from './searching.ts';
import type { Filter, Given, ServiceDeps } from './service-deps.ts';
import { checkLabels, checkText } from './text.ts';
import { checkOrder, expiryIn, timeIn } from './times.ts';

/** More passages than these are embedded in the background: a caller should not wait for seconds. */
const EMBEDDED_AT_ONCE = 16;
export type MemoryService = ReturnType<typeof createMemoryService>;

/** The rules of memory, whatever stores it. */
export function createMemoryService(deps: ServiceDeps) {
  const { engine, namespaces, embeddings, events, refuseSecrets, quota, now } = deps;
  const near = nearIn(engine, now);

  async function passages(text: string, signal: AbortSignal): Promise<{ passages: NewPassage[]; late: boolean }> {
    const made = await newPassages(text, createPace());
    const texts = made.map((one) => one.text);
    const vectors = texts.length <= EMBEDDED_AT_ONCE ? await embeddings.of(texts, signal) : undefined;
    return {
      passages: made.map((one, at) => ({ ...one, ...(vectors?.[at] && { vector: vectors[at] }) })),
      late: vectors === undefined,
    };
  }

  async function wantedBy(filter: Filter, principal: Principal): Promise<Wanted> {
    const at = now();
    const { tags, metadata, pinned } = filter;
    const recordedFrom = timeIn(filter.since, at);
    const recordedBefore = timeIn(filter.until, at);
    return {
      namespaces: await namespaces.forReading(filter.namespace, principal),
      now: at,
      ...(filter.history !== true && { validAt: timeIn(filter.as_of, at) ?? at }),
      ...(tags && { tags }),
      ...(metadata && { metadata }),
      ...(recordedFrom !== undefined && { recordedFrom }),
      ...(recordedBefore !== undefined && { recordedBefore }),
      ...(pinned !== undefined && { pinned }),
    };
  }

  /** The memories with these ids that the caller may see. Throws for any other. */
  async function visible(ids: readonly string[], principal: Principal): Promise<readonly Memory[]> {
    const [memories, allowed] = await Promise.all([engine.get(ids), namespaces.list(principal)]);
    const names = new Set(allowed.map(({ name }) => name));
    const seen = memories.filter(
      ({ namespace, expiresAt }) => names.has(namespace) && (expiresAt === undefined || expiresAt > now()),
    );
    const found = new Set(seen.map(({ id }) => id));
    const missing = ids.find((id) => !found.has(id));
    if (missing !== undefined)
      throw new AppError('not_found', `No memory ${shown(missing)}. memory_search finds memories and their ids.`);
    return seen;
  }

  const one = async (id: string, principal: Principal) => (await visible([id], principal))[0] as Memory;

  /** After memories were added. Erases them if their namespace was dropped meanwhile, and is somebody else's now. */
  async function changed(
    namespace: string,
    roots: readonly string[],
    late: boolean,
    principal: Principal,
  ): Promise<void> {
    if ((await namespaces.touched([namespace])) === 0) {
      try {
        await namespaces.forWriting(namespace, principal);
      } catch (thrown) {
        await engine.erase(roots);
        throw thrown;
      }
    }
    if (late) embeddings.wake();
  }

  const refuseIn = ({ text, tags, metadata, namespace }: Partial<Given>) =>
    refuseSecrets({ text, tags, metadata, namespace });

  return {
    refuseSecrets,

    async store(given: Given, context: CallContext) {
      checkText(given.text);
      checkLabels(given);
      refuseIn(given);
      const recordedAt = now();
      const validFrom = timeIn(given.valid_from, recordedAt) ?? recordedAt;
      const validTo = timeIn(given.valid_to, recordedAt);
      checkOrder(validFrom, validTo);
      const expiresAt = expiryIn(given.ttl, recordedAt);
      const namespace = await namespaces.forWriting(given.namespace, context.principal);
      const { passages: made, late } = await passages(given.text, context.signal);
      const alike = await near(given.text, made[0] as NewPassage, namespace);
      const id = newId(recordedAt);
      const memory: Memory = {
        id,
        root: id,
        namespace,
        text: given.text,
        tags: [...new Set(given.tags)],
        metadata: given.metadata ?? {},
        recordedAt,
        validFrom,
        ...(validTo !== undefined && { validTo }),
        ...(expiresAt !== undefined && { expiresAt }),
        pinned: given.pin === true,
        by: provenanceOf(context),
        recalls: 0,
      };
      await quota.within(context.principal, bytesOf(memory), async () => engine.add([{ memory, passages: made }]));
      await changed(namespace, [id], late, context.principal);
      return { memory, ...alike };
    },

    /** Adds many at once, as they were. */
    add: createImporter({
      engine,
      namespaces,
      refuseSecrets,
      quota,
      now,
      added: (namespace, roots, principal) => changed(namespace, roots, true, principal),
      by: provenanceOf,
    }),

    /**
     * Whole memories with all their versions, oldest first, for an export. Goes by first versions, which no update changes or
     * moves. `after` is the `last` of the page before.
     */
    async whole(namespace: string | undefined, limit: number, after: string | undefined, principal: Principal) {
      const names = await namespaces.forReading(namespace, principal);
      if (after !== undefined && (await engine.get([after])).length === 0)
        throw new AppError('conflict', 'The memory at which the export was has been erased. Start the export again.');
      // An early version may have expired though the last one has not.
      const page = await engine.page({ namespaces: names, now: 0 }, limit, after);
      const roots = page.filter(({ id, root }) => id === root);
      const versions = await Promise.all(
        roots.map(async (root) => (root.supersededBy === undefined ? [root] : await engine.versions(root.id))),
      );
      const groups = roots.map((root, at) => ({ root, versions: versions[at] as readonly Memory[] }));
      return {
        groups: groups.filter(({ versions: [...all] }) => (all.at(-1)?.expiresAt ?? Infinity) > now()),
        last: page.length < limit ? undefined : page.at(-1)?.id,
      };
    },

    search: createSearch({ ...deps, wantedBy }),

    async page(filter: Filter, limit: number, cursor: string | undefined, principal: Principal) {
      const { next } = placeIn('memories', filter, cursor);
      const wanted = await wantedBy(filter, principal);
      if (next !== undefined && (await engine.ages([next])).size === 0)
        throw new AppError('conflict', 'The memory where this page begins was erased. Start over without the cursor.');
      const memories = await engine.page(wanted, limit + 1, next);
      const last = memories.length > limit ? memories[limit - 1] : undefined;
      return {
        memories: memories.slice(0, limit),
        cursorAfter: (memory: Memory) => cursorFor('memories', filter, { next: memory.id, skip: 0 }),
        more: last !== undefined,
      };
    },

    get: one,
    async versions(id: string, principal: Principal) {
      return engine.versions((await one(id, principal)).root);
    },

    /** What says the same as the current version of a memory, or something else about the same. */
    async alike(id: string, { principal, signal }: Pick<CallContext, 'principal' | 'signal'>): Promise<Near> {
      const { text, namespace, supersededBy } = await one(id, principal);
      if (supersededBy !== undefined) return { contradicts: [] };
      const [first = ''] = passagesOf(text);
      const [vector] = (await embeddings.of([first], signal)) ?? [];
      return near(text, { text: first, words: '', ...(vector && { vector }) }, namespace, id);
    },

    async update(id: string, given: Partial<Given>, context: CallContext) {
      const old = await one(id, context.principal);
      const recordedAt = now();
      if (old.supersededBy !== undefined) throw outdated(id, await engine.versions(old.root));
      const text = given.text ?? old.text;
      checkText(text);
      checkLabels(given);
      refuseIn(given);
      const isNew = text !== old.text;
      // A new text is true from now on. Other changes correct what was known: they hold from the beginning.
      const validFrom = timeIn(given.valid_from, recordedAt) ?? (isNew ? recordedAt : old.validFrom);
      const validTo = timeIn(given.valid_to, recordedAt) ?? (isNew ? undefined : old.validTo);
      checkOrder(validFrom, validTo);
      const expiresAt = expiryIn(given.ttl, recordedAt) ?? old.expiresAt;
      const { passages: made, late } = await passages(text, context.signal);
      const alike: Near = isNew ? await near(text, made[0] as NewPassage, old.namespace, id) : { contradicts: [] };
      const memory: Memory = {
        id: newId(recordedAt),
        root: old.root,
        namespace: old.namespace,
        text,
        tags: given.tags ? [...new Set(given.tags)] : old.tags,
        metadata: given.metadata ?? old.metadata,
        recordedAt,
        validFrom,
        ...(validTo !== undefined && { validTo }),
        ...(expiresAt !== undefined && { expiresAt }),
        pinned: given.pin ?? old.pinned,
        supersedes: id,
        by: provenanceOf(context),
        recalls: old.recalls,
        ...(old.recalledAt !== undefined && { recalledAt: old.recalledAt }),
      };
      const end = Math.max(isNew ? validFrom : old.validFrom, old.validFrom);
      const supersede = async () => engine.supersede(id, Math.min(end, old.validTo ?? end), { memory, passages: made });
      if (!(await quota.within(context.principal, bytesOf(memory), supersede)))
        throw outdated(id, await engine.versions(old.root));
      await changed(old.namespace, [old.root], late, context.principal);
      return { memory, supersedes: id, ...alike };
    },

    async pin(id: string, pinned: boolean, principal: Principal) {
      const memory = await one(id, principal);
      await engine.pin(id, pinned);
      await namespaces.touched([memory.namespace]);
      return { ...memory, pinned };
    },

    /** Whether it may be erased, and the roots of what would be. */
    async toErase(ids: readonly string[] | undefined, filter: Filter, principal: Principal) {
      if (ids) {
        const memories = await visible(ids, principal);
        return { roots: [...new Set(memories.map(({ root }) => root))], namespaces: namesOf(memories) };
      }
      const wanted = await wantedBy({ ...filter, history: true }, principal);
      return { roots: await engine.roots(wanted, Number.MAX_SAFE_INTEGER), namespaces: wanted.namespaces };
    },

    async erase(roots: readonly string[], names: readonly string[], principal: Principal) {
      const erased = await engine.erase(roots);
      await namespaces.touched(names);
      events.record({ type: 'memory.erased', namespaces: [...names], memories: erased, principal: principal.id });
      return erased;
    },

    async drop(namespace: string, principal: Principal) {
      await engine.drop(namespace);
      await namespaces.remove(namespace);
      // What was stored between the two would be of whoever uses the name next.
      await engine.drop(namespace);
      events.record({ type: 'memory.namespace_dropped', namespace, principal: principal.id });
    },

    /** Deletes a namespace, but no memory: not if there is one, also one that is being stored. */
    async dropEmpty(name: string, principal: Principal) {
      const namespace = await namespaces.find(name);
      const [content] = await this.contents([name]);
      const versions = content?.versions ?? 0;
      const isEmpty = versions === 0 && namespace !== undefined && (await namespaces.removeUnchanged(namespace));
      if (!isEmpty)
        throw new AppError(
          'conflict',
          `The namespace ${shown(name)} is not empty (memories and versions: ${versions || 'being stored'}). Nothing was deleted. Without if_empty, memory_drop_namespace deletes it with all of them.`,
        );
      events.record({ type: 'memory.namespace_dropped', namespace: name, principal: principal.id });
    },

    /** What is in these namespaces. */
    async contents(names: readonly string[]) {
      return engine.contents(names, (await embeddings.model()) ?? '', now());
    },

    async stats() {
      const model = await embeddings.model();
      return {
        engine: engine.name,
        model,
        waiting: model === undefined ? undefined : await engine.countToEmbed(model),
        trouble: embeddings.trouble(),
      };
    },

    /** Erases what has expired. */
    async expire() {
      const names = await engine.eraseExpired(now());
      if (names.length === 0) return;
      await namespaces.touched(names);
      events.record({ type: 'memory.expired', namespaces: [...names] });
    },
  };
}

const namesOf = (memories: readonly Memory[]): string[] => [...new Set(memories.map(({ namespace }) => namespace))];

function outdated(id: string, versions: readonly Memory[]): AppError {
  const last = versions.find(({ supersededBy }) => supersededBy === undefined);
  return new AppError(
    'conflict',
    `${shown(id)} was updated meanwhile${last ? `: its current version is ${last.id}` : ''}. Read that one, and update it if your change still makes sense.`,
  );
}

function provenanceOf({ principal, client, trace }: CallContext): Provenance {
  const { name, version } = (client.info ?? {}) as { name?: unknown; version?: unknown };
  return {
    principal: principal.id,
    ...(principal.name !== undefined && { name: principal.name }),
    ...(typeof name === 'string' && { client: typeof version === 'string' ? `${name} ${version}` : name }),
    call: trace.traceId,
  };
}
