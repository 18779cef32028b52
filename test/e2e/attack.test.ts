import { describe, expect, test } from 'vitest';
import type { AttackClass, Mode } from '../attack/attack.ts';
import { classes } from '../attack/classes.ts';
import { judge, type Verdict } from '../attack/judge.ts';
import { startScene, startSurroundings } from '../attack/scene.ts';
import { openStack } from '../attack/stack.ts';
import { postgresIsMissing } from '../support/postgres.ts';
import { plain, replicaStage, type Stage, stackStage } from '../attack/stages.ts';

/** The short form of `npm run attack`: some of every class, against the gateway as a user starts it. */
const OF_EACH = 4;

/** The same ones each time, spread from the first to the last. */
function spread<T>(all: readonly T[]): readonly T[] {
  if (all.length <= OF_EACH) return all;
  return Array.from({ length: OF_EACH }, (_, at) => all[Math.round((at * (all.length - 1)) / (OF_EACH - 1))] as T);
}

const shortOn = (stage: Stage): readonly AttackClass[] =>
  classes.filter((one) => (one.stage ?? plain) === stage && one.isLong !== true);

/** Sends some of each class, and returns how many attacks that were. */
async function attacked(mode: Mode, stage: Stage, wanted = shortOn(stage)): Promise<number> {
  // The others take long to start.
  await using stack = openStack(['postgres', 'redis', 'mongodb', 'n8n', 'giant']);
  await using surroundings = await startSurroundings(stack);
  await using scene = await startScene(mode, surroundings, stage);
  const judged: Verdict[] = [];
  for (const one of wanted) judged.push(await judge(scene, one, spread));
  expect(judged.flatMap(({ name, blind }) => blind.map(({ attack, reply }) => ({ name, attack, reply })))).toEqual([]);
  expect(judged.flatMap(({ name, through }) => through.map((each) => ({ name, ...each })))).toEqual([]);
  return judged.reduce((sum, { attacks }) => sum + attacks, 0);
}

describe('nothing gets through, and every oracle sees what is meant to get through', () => {
  test('without authentication', async () => {
    // A restart takes as long as everything else, so only one mode has it.
    const wanted = shortOn(plain).filter(({ restart }) => !restart);
    expect(await attacked('none', plain, wanted)).toBeGreaterThanOrEqual(60);
  }, 240_000);

  test('with keys and OAuth', async () => {
    expect(await attacked('both', plain)).toBeGreaterThanOrEqual(90);
  }, 240_000);

  test('with the services of a stack', async () => {
    expect(await attacked('both', stackStage)).toBeGreaterThanOrEqual(4);
  }, 240_000);

  test('with two replicas on one PostgreSQL', async () => {
    expect(await attacked('both', replicaStage)).toBeGreaterThanOrEqual(postgresIsMissing ? 0 : 7);
  }, 240_000);
});

test('every class has controls in each mode in which it has attacks', () => {
  const without = classes.flatMap(({ name, attacks, controls }) => {
    const seen = new Set(controls.flatMap(({ modes }) => modes));
    return attacks.flatMap(({ modes }) => modes).flatMap((mode) => (seen.has(mode) ? [] : [`${name} ${mode}`]));
  });
  expect(new Set(without)).toEqual(new Set());
});

test('there are at least 30 classes and 600 requests', () => {
  expect(classes.length).toBeGreaterThanOrEqual(30);
  const requests = classes.flatMap(({ attacks }) => attacks).reduce((sum, { modes }) => sum + modes.length, 0);
  expect(requests).toBeGreaterThanOrEqual(600);
});
