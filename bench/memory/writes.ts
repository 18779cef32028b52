import { setTimeout as delay } from 'node:timers/promises';
import { modelKey, type TextModel } from '../../src/embedder/text-model.ts';
import type { Embeddings } from '../../src/memory/embedding.ts';
import type { Vector } from '../../src/memory/engine.ts';
import { type MemoryOver, ownContext as context } from '../../test/support/own-memory.ts';
import { timed, type Timed } from './searches.ts';
import { memoryTexts } from './texts.ts';

const LOT = 100;
/** How long the background job is watched; the rest is estimated from its pace. */
const WATCHED_MS = 30_000;

export interface WriteFigures {
  /** One after the other, with the vectors at hand, and with the model. */
  readonly store: Timed;
  readonly storeWithModel: Timed;
  readonly imported: number;
  readonly importSeconds: number;
  readonly embeddedPerSecond: number;
  readonly toEmbed: number;
}

export async function measureWrites(
  { engine, memory, serviceWith, embeddings }: MemoryOver,
  model: TextModel,
  vectorOf: (at: number) => Vector,
  imported: number,
): Promise<WriteFigures> {
  const known: Embeddings = { ...embeddings, of: async (texts) => texts.map((_, at) => vectorOf(at)), wake() {} };
  const service = serviceWith(known);
  const texts = [...memoryTexts(300, 7)].filter((text) => text.length < 300);
  const one = (given: typeof memory) => (at: number) =>
    given.store({ text: texts[at % texts.length] as string, tags: ['bench'] }, context);
  const store = await timed(100, one(service));
  const storeWithModel = await timed(30, one(memory));

  const lots = [...memoryTexts(imported, 11)].map((text, at) => ({ text, origin: `bench-${at}` }));
  const started = performance.now();
  for (let from = 0; from < lots.length; from += LOT)
    await service.add(lots.slice(from, from + LOT), undefined, context);
  const importSeconds = (performance.now() - started) / 1000;

  const key = modelKey(await model.identify());
  const toEmbed = await engine.countToEmbed(key);
  const begun = performance.now();
  embeddings.wake();
  while (performance.now() - begun < WATCHED_MS && embeddings.isBusy()) await delay(200);
  const left = await engine.countToEmbed(key);
  const embeddedPerSecond = ((toEmbed - left) * 1000) / (performance.now() - begun);
  return { store, storeWithModel, imported, importSeconds, embeddedPerSecond, toEmbed };
}
