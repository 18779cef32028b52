import { setTimeout as delay } from 'node:timers/promises';
import { modelKey, type TextModel } from '../embedder/text-model.ts';
import type { EventLog } from '../kernel/events.ts';
import { toAppError } from '../kernel/errors.ts';
import type { FactOf } from '../kernel/facts.ts';
import type { Shared } from '../kernel/shared.ts';
import type { MemoryEngine, Vector } from './engine.ts';
import type { memoryFacts } from './facts.ts';
import { packed } from './vector.ts';

const TASK = 'memory.embed';
/** Passages of one step. What a step has done survives a crash. */
const AT_ONCE = 64;
const RETRY_MS = { first: 2000, most: 60_000 };

export interface Embeddings extends AsyncDisposable {
  /** The key of the model; undefined while it cannot be used. */
  model(): Promise<string | undefined>;
  /** A vector for each text; undefined while the model cannot be used. */
  of(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[] | undefined>;
  /** Embeds in the background what has no vector of this model: after a change of the model, or a time without one. */
  wake(): void;
  /** Why the model cannot be used. */
  trouble(): string | undefined;
  isBusy(): boolean;
}

/** Turns passages into vectors, at once or in the background. */
export function createEmbeddings(deps: {
  readonly model: TextModel;
  readonly engine: MemoryEngine;
  readonly shared: Pick<Shared, 'lead'>;
  readonly events: EventLog<FactOf<typeof memoryFacts>>;
  readonly stopping: AbortSignal;
}): Embeddings {
  const { model, engine, events, stopping } = deps;
  let trouble: string | undefined;
  let lead: AsyncDisposable | undefined;
  let again = false;

  /** Search by words works without a model, so its failure fails nobody. */
  async function tried<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      trouble = undefined;
      return result;
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      if (code === 'cancelled' || stopping.aborted) throw thrown;
      trouble = message;
      return undefined;
    }
  }

  const key = async () => modelKey(await model.identify(stopping));

  async function embed(texts: readonly string[], signal?: AbortSignal): Promise<Vector[]> {
    const name = await key();
    const vectors = await model.embed(texts, signal ? { signal } : {});
    return vectors.map((vector) => packed(vector, name));
  }

  async function step(signal: AbortSignal): Promise<number> {
    const waiting = await engine.toEmbed(await key(), AT_ONCE);
    if (waiting.length === 0) return 0;
    const vectors = await embed(
      waiting.map(({ text }) => text),
      signal,
    );
    await engine.embedded(
      waiting.flatMap(({ passage }, at) => (vectors[at] ? [{ passage, vector: vectors[at] }] : [])),
    );
    return waiting.length;
  }

  async function work(lost: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([lost, stopping]);
    let done = 0;
    let wait = RETRY_MS.first;
    let told = false;
    while (!signal.aborted) {
      again = false;
      const count = await tried(() => step(signal)).catch(() => undefined);
      if (count === undefined) {
        if (signal.aborted) return;
        if (!told)
          events.record({ type: 'memory.embedding_failed', reason: trouble ?? '', waiting: await waitingNow() });
        told = true;
        await delay(wait, undefined, { signal, ref: false }).catch(() => {});
        wait = Math.min(wait * 2, RETRY_MS.most);
      } else if (count === 0 && !again) {
        if (done > AT_ONCE) events.record({ type: 'memory.embedding_finished', passages: done, model: await key() });
        return;
      } else {
        done += count;
        wait = RETRY_MS.first;
      }
    }
  }

  const waitingNow = async () =>
    key()
      .then((name) => engine.countToEmbed(name))
      .catch(() => 0);

  return {
    model: () => tried(key),
    of: (texts, signal) => tried(() => embed(texts, signal)),
    wake() {
      again = true;
      if (stopping.aborted) return;
      lead ??= deps.shared.lead(TASK, async (lost) => {
        await work(lost);
        const ended = lead;
        lead = undefined;
        // Not awaited: disposing waits for this very work.
        void ended?.[Symbol.asyncDispose]();
        if (again && !lost.aborted) this.wake();
      });
    },
    trouble: () => trouble,
    isBusy: () => lead !== undefined,
    async [Symbol.asyncDispose]() {
      await lead?.[Symbol.asyncDispose]();
    },
  };
}
