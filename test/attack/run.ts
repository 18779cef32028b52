/**
 * `npm run attack`: hostile requests of every class against a running gateway, in every mode of authentication.
 *
 *   node test/attack/run.ts [--class NAME] [--attack TEXT] [--mode none|keys|oauth|both] [--verbose]
 */
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { setup, teardown } from '../support/setup.ts';
import { classes } from './classes.ts';
import { judge, type Through, type Verdict } from './judge.ts';
import { type Mode, modes, startScene, startSurroundings, type Surroundings } from './scene.ts';
import { openStack } from './stack.ts';
import { plain, type Stage } from './stages.ts';

const { values } = parseArgs({
  options: {
    class: { type: 'string' },
    attack: { type: 'string', default: '' },
    mode: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});

function chosen<T>(
  option: string,
  all: readonly T[],
  nameOf: (one: T) => string,
  given: string | undefined,
): readonly T[] {
  const fitting = given === undefined ? all : all.filter((one) => nameOf(one) === given);
  if (fitting.length > 0) return fitting;
  console.error(`There is no --${option} ${given}: it is one of ${all.map(nameOf).join(', ')}.`);
  return process.exit(2);
}

const wantedClasses = chosen('class', classes, ({ name }) => name, values.class);
const wantedModes = chosen('mode', modes, (mode) => mode, values.mode);

function tell(heading: string, { attack, what, sent, reply }: Through): void {
  const indented = (text: string) => text.trimEnd().replaceAll(/\r?\n/g, '\n      ');
  console.log(
    `\n${heading}: ${attack}\n    ${what}\n    sent:\n      ${indented(sent)}\n    came back:\n      ${indented(reply)}`,
  );
}

const stopping = new AbortController();

async function attackIn(mode: Mode, stage: Stage, surroundings: Surroundings): Promise<Verdict[]> {
  await using scene = await startScene(mode, surroundings, stage, stopping.signal);
  const verdicts: Verdict[] = [];
  for (const one of wantedClasses.filter((each) => (each.stage ?? plain) === stage)) {
    const verdict = await judge(scene, one, (all) => all.filter(({ name }) => name.includes(values.attack)));
    verdicts.push(verdict);
    const { name, requests, attacks, through, blind, lacking } = verdict;
    for (const each of lacking) console.log(`${mode.padEnd(6)} ${name.padEnd(16)} not all: ${each}`);
    if (verdict.attacks === 0) continue;
    const cells = [
      mode.padEnd(6),
      name.padEnd(16),
      String(attacks).padStart(8),
      String(requests).padStart(9),
      String(through.length).padStart(8),
    ];
    console.log(cells.join(' ') + (blind.length > 0 ? `   ${blind.length} controls show nothing` : ''));
    for (const each of blind) tell(`NO CONTROL  ${mode} ${name}`, each);
    for (const each of through) tell(`THROUGH  ${mode} ${name}`, each);
  }
  if (values.verbose) console.log(`\nThe gateway in the mode ${mode} said:\n${scene.gateway.output()}`);
  return verdicts;
}

async function attackAll(): Promise<Verdict[]> {
  await using services = openStack();
  const verdicts: Verdict[] = [];
  for (const mode of wantedModes) {
    await using surroundings = await startSurroundings(services);
    const stages = new Set(wantedClasses.map(({ stage = plain }) => stage));
    for (const stage of stages) verdicts.push(...(await attackIn(mode, stage, surroundings)));
  }
  return verdicts;
}

/** The second time, the system ends it at once. */
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    console.error(`\n${name}: stopping what was started …`);
    process.exitCode = 128 + constants.signals[name];
    stopping.abort();
  });

console.log('mode   class             attacks  requests  through');
await setup();
let all: readonly Verdict[] = [];
try {
  all = await attackAll();
} catch (error) {
  if (!stopping.signal.aborted) throw error;
} finally {
  await teardown();
}
if (stopping.signal.aborted) process.exit();

const total = (count: (verdict: Verdict) => number) => all.reduce((sum, verdict) => sum + count(verdict), 0);
const blind = total((verdict) => verdict.blind.length);
const through = total((verdict) => verdict.through.length);
if (blind > 0) console.log(`\n${blind} controls show nothing: what they stand for is not proven.`);
console.log(`\n${total((verdict) => verdict.requests)} requests, ${through} through`);
process.exit(through + blind > 0 ? 1 : 0);
