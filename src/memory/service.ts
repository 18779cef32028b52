import { AppError } from '../kernel/errors.ts';
import { cursorFor, placeIn } from '../kernel/cursor.ts';
import type { EventLog } from '../kernel/events.ts';
import type { FactOf } from '../kernel/facts.ts';
import { shown } from '../kernel/nearest-names.ts';
import type { Principal } from '../kernel/principal.ts';
import type { CallContext, Json } from '../kernel/source.ts';
import { queryTerms, termsOf } from '../kernel/terms.ts';
import { compared } from './comparison.ts';
import type { Embeddings } from './embedding.ts';
import type { Memory, MemoryEngine, NewPassage, Provenance, Wanted } from './engine.ts';
import type { memoryFacts } from './facts.ts';
import type { Namespaces } from './namespaces.ts';
import { createImporter } from './importer.ts';
import { newId } from './new-id.ts';
import { passagesOf } from './passages.ts';
import { ranked, type Why } from './ranking.ts';
import type { Recalls } from './recalls.ts';
import { shortened } from './shortened.ts';
import { checkLabels, checkText } from './text.ts';
import { checkOrder, expiryIn, timeIn } from './times.ts';

/** More passages than these are embedded in the background: a caller should not wait for seconds. */
const EMBEDDED_AT_ONCE = 16;
/** How many passages each kind of search gives the ranking. */
const HITS = 150;
/** A long text is looked for by its first words. */
const MOST_TERMS = 50;
/** How many neighbours a new text is compared with. */
const NEIGHBOURS = 10;

export interface Given {
  readonly text: string;
  readonly namespace?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Json | undefined;
  readonly valid_from?: string | undefined;
  readonly valid_to?: string | undefined;
  readonly ttl?: string | number | undefined;
  readonly pin?: boolean | undefined;
}

/** Filters as a caller gives them. */
export interface Filter {
  readonly namespace?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | undefined;
  readonly as_of?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly pinned?: boolean | undefined;
  /** Ended versions too. */
  readonly history?: boolean | undefined;
}

/** What a new text has to do with memories that are there. */
export interface Near {
  readonly duplicateOf?: string;
  readonly contradicts: { id: string; text: string; why: string }[];
}

export interface ServiceDeps {
  readonly engine: MemoryEngine;
  readonly namespaces: Namespaces;
  readonly embeddings: Embeddings;
  readonly recalls: Recalls;
  readonly events: EventLog<FactOf<typeof memoryFacts>>;
  /** In days; 0 for none. */
  halfLife(): number;
  now(): number;
}

export type MemoryService = ReturnType<typeof createMemoryService>;

/** The rules of memory, whatever stores it. */
export function createMemoryService(deps: ServiceDeps) {
  const { engine, namespaces, embeddings, recalls, events, now } = deps;

  async function passages(text: string, signal: AbortSignal): Promise<{ passages: NewPassage[]; late: boolean }> {
    const texts = passagesOf(text);
    const vectors = texts.length <= EMBEDDED_AT_ONCE ? await embeddings.of(texts, signal) : undefined;
    return {
      passages: texts.map((one, at) => ({
        text: one,
        words: termsOf(one).join(' '),
        ...(vectors?.[at] && { vector: vectors[at] }),
      })),
      late: vectors === undefined,
    };
  }

  /** What is stored already and says the same, or something else about the same. */
  async function neighbours(text: string, { vector }: NewPassage, namespace: string, leaveOut?: string): Promise<Near> {
    const wanted: Wanted = { namespaces: [namespace], now: now(), validAt: now() };
    const [near, worded] = await Promise.all([
      vector ? engine.byMeaning(vector, wanted, NEIGHBOURS) : [],
      engine.byWords(queryTerms(text).slice(0, MOST_TERMS), wanted, NEIGHBOURS),
    ]);
    const cosines = new Map(near.map(({ id, score }) => [id, score]));
    const ids = [...new Set([...near, ...worded].map(({ id }) => id))].filter((id) => id !== leaveOut);
    const memories = await engine.get(ids);
    const { duplicateOf, contradicts } = compared(
      text,
      memories.map(({ id, text: other }) => {
        const cosine = cosines.get(id);
        return { id, text: other, ...(cosine !== undefined && { cosine }) };
      }),
    );
    const texts = new Map(memories.map(({ id, text: other }) => [id, other]));
    return {
      ...(duplicateOf !== undefined && { duplicateOf }),
      contradicts: contradicts.map(({ id, reason }) => ({
        id,
        text: shortened(texts.get(id) ?? '').text,
        why: reason,
      })),
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

  return {
    async store(given: Given, context: CallContext) {
      checkText(given.text);
      checkLabels(given);
      const recordedAt = now();
      const validFrom = timeIn(given.valid_from, recordedAt) ?? recordedAt;
      const validTo = timeIn(given.valid_to, recordedAt);
      checkOrder(validFrom, validTo);
      const expiresAt = expiryIn(given.ttl, recordedAt);
      const namespace = await namespaces.forWriting(given.namespace, context.principal);
      const { passages: made, late } = await passages(given.text, context.signal);
      const near = await neighbours(given.text, made[0] as NewPassage, namespace);
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
      await engine.add([{ memory, passages: made }]);
      await changed(namespace, [id], late, context.principal);
      return { memory, ...near };
    },

    /** Adds many at once, as they were. */
    add: createImporter({
      engine,
      namespaces,
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

    async search(query: string, filter: Filter, limit: number, context: CallContext) {
      const wanted = await wantedBy(filter, context.principal);
      const terms = queryTerms(query);
      const vector = query.trim() === '' ? undefined : (await embeddings.of([query], context.signal))?.[0];
      const [words, meaning] = await Promise.all([
        engine.byWords(terms, wanted, HITS),
        vector ? engine.byMeaning(vector, wanted, HITS) : [],
      ]);
      const ids = [...new Set([...words, ...meaning].map(({ id }) => id))];
      const decay = { halfLifeDays: deps.halfLife(), now: wanted.now, ages: await engine.ages(ids) };
      const best = ranked({ question: query, byWords: words, byMeaning: meaning, decay, limit });
      const memories = new Map((await engine.get(best.map(({ id }) => id))).map((memory) => [memory.id, memory]));
      const found = best.flatMap(({ id, text, score, why }): Found[] => {
        const memory = memories.get(id);
        return memory ? [{ memory, passage: text, score, why }] : [];
      });
      recalls.note(found.map(({ memory }) => memory.id));
      return { found, trouble: embeddings.trouble() };
    },

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

    async update(id: string, given: Partial<Given>, context: CallContext) {
      const old = await one(id, context.principal);
      const recordedAt = now();
      if (old.supersededBy !== undefined) throw outdated(id, await engine.versions(old.root));
      const text = given.text ?? old.text;
      checkText(text);
      checkLabels(given);
      const isNew = text !== old.text;
      // A new text is true from now on. Other changes correct what was known: they hold from the beginning.
      const validFrom = timeIn(given.valid_from, recordedAt) ?? (isNew ? recordedAt : old.validFrom);
      const validTo = timeIn(given.valid_to, recordedAt) ?? (isNew ? undefined : old.validTo);
      checkOrder(validFrom, validTo);
      const expiresAt = expiryIn(given.ttl, recordedAt) ?? old.expiresAt;
      const { passages: made, late } = await passages(text, context.signal);
      const near: Near = isNew ? await neighbours(text, made[0] as NewPassage, old.namespace, id) : { contradicts: [] };
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
      if (!(await engine.supersede(id, Math.min(end, old.validTo ?? end), { memory, passages: made })))
        throw outdated(id, await engine.versions(old.root));
      await changed(old.namespace, [old.root], late, context.principal);
      return { memory, supersedes: id, ...near };
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
      for (const namespace of names)
        events.record({ type: 'memory.erased', namespace, memories: erased, principal: principal.id });
      return erased;
    },

    async drop(namespace: string, principal: Principal) {
      await engine.drop(namespace);
      await namespaces.remove(namespace);
      // What was stored between the two would be of whoever uses the name next.
      await engine.drop(namespace);
      events.record({ type: 'memory.namespace_dropped', namespace, principal: principal.id });
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

/** A memory that a search found. */
export interface Found {
  readonly memory: Memory;
  /** The passage that fits best. */
  readonly passage: string;
  readonly score: number;
  readonly why: Why;
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
