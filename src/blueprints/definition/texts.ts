import { AppError } from '../../kernel/errors.ts';
import { type TemplatePart, templateParts, templatesIn } from '../expressions/template.ts';
import type { Path } from './finding.ts';
import type { Action, Definition, Step } from './shape.ts';

/** A text of a definition in which expressions are filled in, and what they may refer to. */
export interface Template {
  readonly text: string;
  readonly path: Path;
  /** Ids of steps whose results are there by then. */
  readonly steps: ReadonlySet<string>;
  /** Variables besides those that are always there. */
  readonly more: readonly string[];
  /** It has to be one expression, and nothing else. */
  readonly whole?: true;
}

/** All templates of a definition, in their order. */
export function* templatesOf({ steps, outputs }: Definition): Generator<Template> {
  const done = new Set<string>();
  for (const [index, step] of steps.entries()) {
    yield* inStep(step, ['steps', index], new Set(done));
    done.add(step.id);
  }
  for (const { text, path } of textsIn(outputs, ['outputs'])) yield { text, path, steps: done, more: [] };
}

function* inStep(step: Step, path: Path, before: ReadonlySet<string>): Generator<Template> {
  const { id, work, when, forEach, as, undo } = step;
  // Decided once for all items, before there is one.
  if (when !== undefined) yield { text: when, path: [...path, 'when'], steps: before, more: [], whole: true };
  if (typeof forEach === 'string')
    yield { text: forEach, path: [...path, 'for_each'], steps: before, more: [], whole: true };
  else for (const one of textsIn(forEach, [...path, 'for_each'])) yield { ...one, steps: before, more: [] };
  const item = forEach === undefined ? [] : [as, 'index'];
  if (work.kind === 'approval') yield { text: work.question, path: [...path, 'approval'], steps: before, more: item };
  else if (work.kind === 'event' && work.where !== undefined)
    yield { text: work.where, path: [...path, 'wait', 'where'], steps: before, more: ['event'], whole: true };
  else if (work.kind === 'blueprint')
    for (const one of textsIn(work.inputs, [...path, 'inputs'])) yield { ...one, steps: before, more: item };
  else if (work.kind !== 'wait' && work.kind !== 'event')
    for (const one of textsOf(work, path)) yield { ...one, steps: before, more: item };
  if (!undo) return;
  const after = new Set([...before, id]);
  for (const one of textsOf(undo, [...path, 'undo'])) yield { ...one, steps: after, more: item };
}

interface Text {
  readonly text: string;
  readonly path: Path;
}

function textsOf(action: Action, path: Path): Text[] {
  if (action.kind === 'tool') return textsIn(action.arguments, [...path, 'arguments']);
  if (action.kind === 'workflow') return textsIn(action.input, [...path, 'input']);
  return [
    { text: action.webhook, path: [...path, 'webhook'] },
    ...textsIn(action.headers, [...path, 'headers']),
    ...textsIn(action.body, [...path, 'body']),
  ];
}

/** All texts in a value. Names of keys are literal. */
export function textsIn(value: unknown, path: Path): Text[] {
  const found: Text[] = [];
  templatesIn(value, (text, inner) => found.push({ text, path: [...path, ...inner] }));
  return found;
}

/** Empty if an expression in it does not end, which the check of expressions reports. */
export function partsOf(text: string): readonly TemplatePart[] {
  try {
    return templateParts(text);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/** Whether the text is one expression, whose value keeps its type. */
export function isWhole(text: string): boolean {
  const [only, ...others] = partsOf(text);
  return only?.kind === 'expression' && others.length === 0;
}
