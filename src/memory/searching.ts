import type { Principal } from '../kernel/principal.ts';
import type { CallContext } from '../kernel/source.ts';
import type { Memory, Wanted } from './engine.ts';
import type { Filter, ServiceDeps } from './service-deps.ts';
import { askedTerms, ranked, type Why } from './ranking/ranking.ts';

/** How many passages each kind of search gives the ranking. */
const HITS = 150;

/** A memory that a search found. */
export interface Found {
  readonly memory: Memory;
  /** The passage that fits best. */
  readonly passage: string;
  readonly score: number;
  readonly why: Why;
}

/** Searches by words and by meaning, and puts both into one order. */
export function createSearch({
  engine,
  embeddings,
  recalls,
  halfLife,
  wantedBy,
}: ServiceDeps & { wantedBy(filter: Filter, principal: Principal): Promise<Wanted> }) {
  /** `isRecall`: whether it makes the memories it finds new again. Looking at them does not. */
  return async (
    query: string,
    filter: Filter,
    limit: number,
    context: Pick<CallContext, 'principal' | 'signal'>,
    { isRecall = true } = {},
  ) => {
    const wanted = await wantedBy(filter, context.principal);
    const terms = askedTerms(query);
    const near = async () => {
      const [vector] = (await embeddings.of([query], context.signal)) ?? [];
      return vector ? engine.byMeaning(vector, wanted, HITS) : [];
    };
    // Words are looked up while the model thinks.
    const [words, meaning] = await Promise.all([engine.byWords(terms, wanted, HITS), near()]);
    const ids = [...new Set([...words, ...meaning].map(({ id }) => id))];
    const decay = { halfLifeDays: halfLife(), now: wanted.now, ages: await engine.ages(ids) };
    const best = ranked({ question: query, byWords: words, byMeaning: meaning, decay, limit });
    const memories = new Map((await engine.get(best.map(({ id }) => id))).map((memory) => [memory.id, memory]));
    const found = best.flatMap(({ id, text, score, why }): Found[] => {
      const memory = memories.get(id);
      return memory ? [{ memory, passage: text, score, why }] : [];
    });
    if (isRecall) recalls.note(found.map(({ memory }) => memory.id));
    return { found, trouble: embeddings.trouble() };
  };
}
