import { expect, test } from 'vitest';
import type { Embedder } from '../../../embedder/embedder.ts';
import type { TemplateSummary } from '../template.ts';
import { templateMeaning } from './meaning.ts';

/** Finds everything alike, as soon as `made` is settled. */
function embedderAfter(made: Promise<'ready' | 'lost'>): Embedder {
  return {
    prepare: () => made,
    compare: async () => Float64Array.of(1),
    embed: async () => undefined,
    hold: (answer) => answer,
    onEnd() {},
    closed: false,
    async [Symbol.asyncDispose]() {},
  };
}

const templates = new Map([['team/a', { id: 'team/a', name: 'Reminder' } as TemplateSummary]]);

test('a question does not wait for vectors, unless it is told to', async () => {
  const made = Promise.withResolvers<'ready'>();
  const meaning = templateMeaning(async () => embedderAfter(made.promise), 'vectors');
  meaning.update(templates);
  expect(await meaning.near('a question')).toBeUndefined();
  expect(meaning.isReady).toBe(false);
  const patient = meaning.near('a question', 60_000);
  made.resolve('ready');
  expect(await patient).toEqual(['team/a']);
  expect(meaning.isReady).toBe(true);
});

test('if vectors cannot be made, nobody waits for them', async () => {
  const meaning = templateMeaning(async () => embedderAfter(Promise.resolve('lost')), 'vectors');
  meaning.update(templates);
  expect(await meaning.near('a question', 60_000)).toBeUndefined();
});
