import { didYouMean, inQuotes, shown } from '../../kernel/nearest-names.ts';
import { someOf } from '../../kernel/some-of.ts';
import type { Path } from './finding.ts';
import { misfits } from './fitting.ts';
import { createNear } from './near.ts';
import type { Report } from './report.ts';
import { type Definition, MOST_DEPTH } from './shape.ts';
import type { World } from './world.ts';

/** Blueprints that it calls exist, get their inputs, and come to an end. */
export function checkCalls(definition: Definition, world: World, report: Report): void {
  const near = createNear(() => world.blueprintNames());
  const chainFrom = chains(definition, world);
  for (const [index, { work }] of definition.steps.entries()) {
    if (work.kind !== 'blueprint') continue;
    const path: Path = ['steps', index];
    const at: Path = [...path, 'blueprint'];
    const called = work.blueprint === definition.name ? definition : world.blueprint(work.blueprint);
    if (!called && world.isBroken?.(work.blueprint)) {
      report.error(at, `${work.blueprint} has errors`, `Correct ${work.blueprint} first: validate it.`);
      continue;
    }
    if (!called) {
      const names = world.blueprintNames();
      const fix = didYouMean(inQuotes(near(work.blueprint)), `There are ${someOf(names, 20) || 'none'}.`);
      report.error(at, `there is no blueprint ${shown(work.blueprint, 63)}`, fix);
      continue;
    }
    const chain = chainFrom(work.blueprint);
    if (chain.isCircle)
      report.error(at, `calls itself without end: ${shortened(chain.names)}`, 'Take one of these calls out.');
    else if (chain.names.length > MOST_DEPTH)
      report.error(
        at,
        `nests ${chain.names.length} blueprints, but may nest ${MOST_DEPTH}: ${shortened(chain.names)}`,
        'Put steps of the inner ones into the outer ones.',
      );
    checkInputs(called, work.inputs, [...path, 'inputs'], report);
  }
}

interface Chain {
  readonly isCircle: boolean;
  readonly names: readonly string[];
}

/** For a blueprint that is called: the circle that it leads to, or the longest chain of calls. Each is looked at once. */
function chains(definition: Definition, world: World): (called: string) => Chain {
  const done = new Map<string, Chain>();
  const open = new Set([definition.name]);

  function below(name: string): Chain {
    const known = done.get(name);
    if (known) return known;
    if (open.has(name)) return { isCircle: true, names: [...[...open].slice([...open].indexOf(name)), name] };
    open.add(name);
    const each = calledBy(world.blueprint(name)).map(below);
    open.delete(name);
    const circle = each.find(({ isCircle }) => isCircle);
    const longest = each.reduce<readonly string[]>(
      (most, { names }) => (names.length > most.length ? names : most),
      [],
    );
    const found = circle ?? { isCircle: false, names: [name, ...longest] };
    done.set(name, found);
    return found;
  }

  return (called) => {
    const chain = below(called);
    return chain.isCircle ? chain : { isCircle: false, names: [definition.name, ...chain.names] };
  };
}

const calledBy = (definition: Definition | undefined): readonly string[] => [
  ...new Set(definition?.steps.flatMap(({ work }) => (work.kind === 'blueprint' ? [work.blueprint] : []))),
];

const shortened = (names: readonly string[]): string =>
  [...names.slice(0, 12), ...(names.length > 12 ? ['…'] : [])].join(' -> ');

function checkInputs(called: Definition, given: object, path: Path, report: Report): void {
  const names = Object.keys(called.inputs);
  const schema = {
    type: 'object',
    properties: called.inputs,
    required: names.filter((name) => !hasDefault(called, name)),
    additionalProperties: false,
  };
  for (const misfit of misfits(schema, given))
    report.error(
      [...path, ...misfit.path],
      `does not fit ${called.name}: ${misfit.message.replace(/\.$/, '')}`,
      misfit.fix ?? `Write what ${called.name} takes.`,
    );
}

const hasDefault = ({ inputs }: Definition, name: string): boolean =>
  Object.hasOwn(inputs, name) && Object.hasOwn(inputs[name] ?? {}, 'default');
