import { queryTerms } from '../../src/kernel/terms.ts';
import type { Embeddings } from '../../src/memory/embedding.ts';
import type { MemoryEngine, Vector } from '../../src/memory/engine.ts';
import { cosine } from '../../src/memory/vector.ts';
import type { Store } from '../../src/store/store.ts';
import { finelyCpuOf } from '../proc.ts';
import { percentile } from '../statistics.ts';
import { type MemoryOver, ownContext as context } from '../../test/support/own-memory.ts';

export interface Timed {
  readonly p50: number;
  readonly p95: number;
  /** CPU of this process for each, in milliseconds: says more than the time if others use the machine. */
  readonly cpu: number;
}

export async function timed(count: number, work: (at: number) => Promise<unknown>): Promise<Timed> {
  for (let at = 0; at < Math.min(5, count); at++) await work(at);
  const before = finelyCpuOf(process.pid);
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const start = performance.now();
    await work(at);
    times.push(performance.now() - start);
  }
  const cpu = (finelyCpuOf(process.pid) - before) / count / 1000;
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), cpu };
}

export interface SearchFigures {
  readonly words: Timed;
  readonly meaning: Timed;
  readonly filtered: Timed;
  readonly read: Timed;
  readonly whole: Timed;
  readonly withModel: Timed;
  readonly list: Timed;
  readonly stats: Timed;
  /** Of the ten nearest by all vectors, how many are among the first ten. */
  readonly overlap: number;
}

export async function measureSearches(
  { engine, store, memory, serviceWith, embeddings }: MemoryOver,
  questions: readonly string[],
): Promise<SearchFigures> {
  const vectors = (await embeddings.of(questions)) as readonly Vector[];
  const byText = new Map(questions.map((question, at) => [question, vectors[at] as Vector]));
  const known: Embeddings = {
    ...embeddings,
    of: async (texts) => texts.map((text) => byText.get(text) as Vector),
  };
  const service = serviceWith(known);
  const wanted = () => ({ namespaces: ['default'], now: Date.now(), validAt: Date.now() });
  const question = (at: number) => questions[at % questions.length] as string;
  const vector = (at: number) => vectors[at % vectors.length] as Vector;
  const hits = await Promise.all(
    questions.map(async (text, at) => [
      ...new Set(
        [
          ...(await engine.byWords(queryTerms(text), wanted(), 150)),
          ...(await engine.byMeaning(vector(at), wanted(), 150)),
        ].map(({ id }) => id),
      ),
    ]),
  );
  const count = questions.length;
  return {
    words: await timed(count, (at) => engine.byWords(queryTerms(question(at)), wanted(), 150)),
    meaning: await timed(count, (at) => engine.byMeaning(vector(at), wanted(), 150)),
    filtered: await timed(count, (at) => engine.byMeaning(vector(at), { ...wanted(), tags: [`tag-${at % 50}`] }, 150)),
    read: await timed(count, (at) => engine.get(hits[at] ?? [])),
    whole: await timed(count, (at) => service.search(question(at), {}, 8, context)),
    withModel: await timed(count, (at) => memory.search(question(at), {}, 8, context)),
    list: await timed(20, () => memory.page({}, 20, undefined, context.principal)),
    stats: await timed(5, async () => Promise.all([memory.contents(['default']), memory.stats()])),
    overlap: await overlapOf(store, engine, vectors.slice(0, 40)),
  };
}

const AT_ONCE = 5000;

async function overlapOf(store: Store, engine: MemoryEngine, asked: readonly Vector[]): Promise<number> {
  const best: { id: string; score: number }[][] = asked.map(() => []);
  for (let after = 0; ; ) {
    const rows = await store.apart.rows<{ passage: number; id: string; bytes: Uint8Array }>(
      `SELECT b.passage, m.id, b.bytes FROM memory_bytes b JOIN memory_passages p ON p.number = b.passage
       JOIN memories m ON m.number = p.memory WHERE b.passage > ? ORDER BY b.passage LIMIT ?`,
      after,
      AT_ONCE,
    );
    for (const { id, bytes } of rows) {
      const signed = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
      for (const [at, vector] of asked.entries()) {
        const list = best[at] as { id: string; score: number }[];
        const score = cosine(vector.bytes, signed);
        if (list.length < 10 || score > (list.at(-1)?.score ?? 0))
          best[at] = [...list, { id, score }].sort((a, b) => b.score - a.score).slice(0, 10);
      }
    }
    if (rows.length < AT_ONCE) break;
    after = rows.at(-1)?.passage ?? 0;
  }
  const now = Date.now();
  let found = 0;
  for (const [at, vector] of asked.entries()) {
    const hits = await engine.byMeaning(vector, { namespaces: ['default'], now, validAt: now }, 10);
    const ids = new Set(hits.map(({ id }) => id));
    found += (best[at] ?? []).filter(({ id }) => ids.has(id)).length;
  }
  return found / (asked.length * 10);
}
