import { didYouMean, inQuotes, nearestName, oneOf, shown } from '../../kernel/nearest-names.ts';
import { isTree } from '../../host/config/tree.ts';
import type { Path } from './finding.ts';

/** Something wrong with the keys of a map, before its values are looked at. */
export interface KeyProblem {
  readonly path: Path;
  readonly message: string;
  readonly fix: string;
  /** The path of the key that was probably meant. */
  readonly meant?: Path;
}

/** The keys that each kind of step has besides those that all have. */
const action: ReadonlyMap<string, readonly string[]> = new Map([
  ['tool', ['arguments']],
  ['workflow', ['input', 'instance']],
  ['webhook', ['method', 'headers', 'body', 'instance']],
]);

const kinds: ReadonlyMap<string, readonly string[]> = new Map([
  ...action,
  ['approval', []],
  ['wait', []],
  ['blueprint', ['inputs']],
]);

const everyStep = ['id', 'when', 'timeout'];
/** Of steps that do something: there is nothing to repeat or to undo after an approval or a wait. */
const working = ['for_each', 'as', 'parallel', 'retry', 'undo', 'idempotent', 'confirm'];
const top = ['name', 'description', 'inputs', 'needs', 'wants', 'steps', 'outputs', 'on_failure', 'schedule'];

/** What other tools call these keys, where the nearest spelling would mislead. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ...['args', 'params', 'parameters', 'with'].map((key) => [key, 'arguments'] as const),
  ...['if', 'condition', 'only_if'].map((key) => [key, 'when'] as const),
  ...['foreach', 'loop', 'with_items', 'items'].map((key) => [key, 'for_each'] as const),
  ...['name', 'step'].map((key) => [key, 'id'] as const),
  ['retries', 'retry'],
  ...['rollback', 'compensate'].map((key) => [key, 'undo'] as const),
  ...['data', 'payload', 'json'].map((key) => [key, 'body'] as const),
  ['url', 'webhook'],
  ['attempts', 'times'],
  ['delay', 'backoff'],
]);

/** Of one map. */
const MOST_UNKNOWN = 20;

/** Unknown keys everywhere, and steps without a kind or with several. */
export function keyProblems(raw: unknown): KeyProblem[] {
  if (!isTree(raw)) return [];
  const steps = Array.isArray(raw.steps) ? raw.steps : [];
  return [...unknownKeys(raw, [], top), ...steps.flatMap((step, index) => inStep(step, ['steps', index]))];
}

function inStep(step: unknown, path: Path): KeyProblem[] {
  if (!isTree(step)) return [];
  return [
    ...kindProblems(step, path, kinds, 'A step', (kind) => [
      ...everyStep,
      ...(kind === 'approval' || kind === 'wait' ? [] : working),
    ]),
    ...(isTree(step.undo) ? kindProblems(step.undo, [...path, 'undo'], action, 'An undo', () => []) : []),
    ...(isTree(step.retry) ? unknownKeys(step.retry, [...path, 'retry'], ['times', 'backoff']) : []),
    ...(isTree(step.wait) ? unknownKeys(step.wait, [...path, 'wait'], ['event', 'where']) : []),
  ];
}

type Tree = Readonly<Record<string, unknown>>;

function kindProblems(
  given: Tree,
  path: Path,
  from: typeof kinds,
  what: string,
  besides: (kind: string) => readonly string[],
): KeyProblem[] {
  const found = [...from.keys()].filter((kind) => Object.hasOwn(given, kind));
  const [kind] = found;
  if (kind === undefined) {
    const all = [...from].flatMap(([name, keys]) => [name, ...keys, ...besides(name)]);
    const unknown = unknownKeys(given, path, [...new Set(all)]);
    const misspelled = unknown.some(({ meant }) => from.has(String(meant?.at(-1))));
    const message = `${what} needs one of ${[...from.keys()].join(', ')}`;
    return misspelled ? unknown : [{ path, message, fix: 'Add the one that says what to do.' }, ...unknown];
  }
  if (found.length > 1) {
    const all = found.flatMap((name) => [name, ...(from.get(name) ?? []), ...besides(name)]);
    const message = `${what} does one thing, but this one has ${found.join(' and ')}`;
    return [
      { path, message, fix: `Keep ${oneOf(found)}. Write the others as steps of their own.` },
      ...unknownKeys(given, path, all),
    ];
  }
  const known = [kind, ...(from.get(kind) ?? []), ...besides(kind)];
  const ofOthers = new Set([...[...kinds.values()].flat(), ...working, ...everyStep]);
  return unknownKeys(given, path, known).map((one) => {
    const key = String(one.path.at(-1));
    if (!ofOthers.has(key) || known.includes(key)) return one;
    const others = known.filter((name) => name !== kind && name !== 'id');
    const fix = others.length === 0 ? 'Remove it.' : `Remove it. These do: ${others.join(', ')}.`;
    return { path: one.path, message: `"${key}" does not go with ${kind}`, fix };
  });
}

function unknownKeys(given: Tree, path: Path, known: readonly string[]): KeyProblem[] {
  // A key that is already present was not the one misspelled.
  const absent = known.filter((name) => !Object.hasOwn(given, name));
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  return unknown.slice(0, MOST_UNKNOWN).map((key) => {
    const usual = elsewhere.get(key.toLowerCase());
    const meant = usual !== undefined && absent.includes(usual) ? usual : nearestName(key, absent);
    return {
      path: [...path, key],
      message: `"${shown(key, 60)}" is not a known key`,
      fix: didYouMean(inQuotes([meant]), `Remove it. Known keys: ${known.join(', ')}.`),
      ...(meant !== undefined && { meant: [...path, meant] }),
    };
  });
}
