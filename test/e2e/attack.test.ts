import { describe, expect, test } from 'vitest';
import { classes } from '../attack/classes.ts';
import { judge } from '../attack/judge.ts';
import { startScene, startSurroundings } from '../attack/scene.ts';

/** The short form of `npm run attack`: some of every class, against the gateway as a user starts it. */
const OF_EACH = 4;

/** The same ones each time, spread from the first to the last. */
function spread<T>(all: readonly T[]): readonly T[] {
  if (all.length <= OF_EACH) return all;
  return Array.from({ length: OF_EACH }, (_, at) => all[Math.round((at * (all.length - 1)) / (OF_EACH - 1))] as T);
}

describe.each(['none', 'both'] as const)('in the mode %s', (mode) => {
  test('nothing gets through, and every oracle sees what is meant to get through', async () => {
    await using surroundings = await startSurroundings();
    await using scene = await startScene(mode, surroundings);
    const judged = [];
    // A restart takes as long as everything else, so only one mode has it.
    const wanted = classes.filter(({ restart }) => mode !== 'none' || !restart);
    for (const one of wanted) judged.push(await judge(scene, one, spread));
    expect(judged.flatMap(({ name, blind }) => blind.map(({ attack, reply }) => ({ name, attack, reply })))).toEqual(
      [],
    );
    expect(judged.flatMap(({ name, through }) => through.map((each) => ({ name, ...each })))).toEqual([]);
    expect(judged.reduce((sum, { attacks }) => sum + attacks, 0)).toBeGreaterThanOrEqual(mode === 'none' ? 50 : 75);
  }, 120_000);
});

test('there are at least 18 classes and 500 requests', () => {
  expect(classes.length).toBeGreaterThanOrEqual(18);
  const requests = classes.flatMap(({ attacks }) => attacks).reduce((sum, { modes }) => sum + modes.length, 0);
  expect(requests).toBeGreaterThanOrEqual(500);
});
