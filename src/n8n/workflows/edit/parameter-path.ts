import { AppError } from '../../../kernel/errors.ts';

type Step = string | number;
type Container = Record<string, unknown> | unknown[];

const STEP = /\.?([\w$-]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\['((?:[^'\\]|\\.)*)'\]/y;
const forbidden: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Parses the path of a value in a node's parameters: `options.headers[0].name`, `["key with.dots"]`. */
export function stepsOf(path: string): Step[] {
  const steps: Step[] = [];
  let at = 0;
  while (at < path.length) {
    STEP.lastIndex = at;
    const found = STEP.exec(path);
    if (!found || (at === 0 && path.startsWith('.')))
      throw wrong(path, `is not valid from "${path.slice(at, at + 20)}" on`);
    const [whole, word, index, double, single] = found;
    steps.push(index === undefined ? (word ?? (double ?? single ?? '').replace(/\\(.)/g, '$1')) : Number(index));
    at += whole.length;
  }
  if (steps.length === 0) throw wrong(path, 'is empty');
  const bad = steps.find((step) => forbidden.has(String(step)));
  if (bad !== undefined) throw wrong(path, `may not go through ${bad}`);
  return steps;
}

/** The value at a path; undefined if there is none. */
export function valueAt(root: Container, path: string): unknown {
  return withoutHead(root, path).reduce<unknown>((value, step) => childOf(value, step), root);
}

/** Sets the value at a path, and creates missing objects and lists on the way. */
export function setAt(root: Container, path: string, value: unknown): void {
  const steps = withoutHead(root, path);
  const last = steps.pop() as Step;
  let place: Container = root;
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1] ?? last;
    const child = childOf(place, step) ?? put(place, step, typeof next === 'number' ? [] : {}, path);
    if (typeof child !== 'object' || child === null) {
      throw wrong(path, `cannot be reached: ${String(step)} is ${JSON.stringify(child)}, not an object or a list`);
    }
    place = child as Container;
  }
  put(place, last, value, path);
}

/** Removes the value at a path. Later items of a list move up. */
export function removeAt(root: Container, path: string): void {
  const steps = withoutHead(root, path);
  const last = steps.pop() as Step;
  const place = steps.reduce<unknown>((value, step) => childOf(value, step), root);
  if (childOf(place, last) === undefined) throw wrong(path, 'does not exist, so it cannot be removed');
  if (Array.isArray(place)) place.splice(last as number, 1);
  else delete (place as Record<string, unknown>)[last];
}

/** Also accepts `parameters.x`, because diffs show paths in this form. */
function withoutHead(root: Container, path: string): Step[] {
  const steps = stepsOf(path);
  return steps.length > 1 && steps[0] === 'parameters' && !Object.hasOwn(root, 'parameters') ? steps.slice(1) : steps;
}

function childOf(value: unknown, step: Step): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return Object.hasOwn(value, step) ? (value as Record<Step, unknown>)[step] : undefined;
}

function put(place: Container, step: Step, value: unknown, path: string): unknown {
  if (!Array.isArray(place)) return (place[step] = value);
  if (typeof step !== 'number') throw wrong(path, `has ${step} where there is a list: use [0], [1], …`);
  if (step > place.length)
    throw wrong(path, `skips items: the list has ${place.length}, so the next is [${place.length}]`);
  return (place[step] = value);
}

function wrong(path: string, why: string): AppError {
  return new AppError('invalid_input', `The path "${path.slice(0, 200)}" ${why}.`);
}
