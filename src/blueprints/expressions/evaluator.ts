import { AppError } from '../../kernel/errors.ts';
import { own } from '../../kernel/own.ts';
import type { Json } from '../../kernel/source.ts';
import { type Analysis, analyse, typeNames } from './analysis.ts';
import type { Scope } from './evaluate.ts';
import { filledIn, sourcesIn } from './fill.ts';
import { quotedSource } from './limits.ts';
import { limitedThread, type Stopped, type ThreadLimits } from './limited-thread.ts';

export interface Evaluator extends AsyncDisposable {
  /**
   * The value with every template in it filled in. A text that is one expression takes the value's type; otherwise the
   * values are put into the text: texts as they are, numbers and booleans as text, lists and objects as JSON, null as empty
   * text.
   */
  fill(value: unknown, scope: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Whether a template gives true. Throws if it gives something else than a boolean. */
  isTrue(template: string, scope: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** The inputs with defaults filled in. Throws an error that names every problem, at most 8. */
  checkInputs(schemas: Readonly<Record<string, Json>>, given: Readonly<Json>): Promise<Json>;
}

const LIMIT_MS = 200;
/** The thread holds about 25 MB. */
const IDLE_MS = 60_000;
const MOST_ANALYSES = 1_000;
const MOST_STEP_NAMES = 100;

export function createEvaluator({ limitMs = LIMIT_MS, idleMs = IDLE_MS }: Partial<ThreadLimits> = {}): Evaluator {
  const thread = limitedThread({ limitMs, idleMs });
  const analyses = new Map<string, Analysis>();

  const analysed = (source: string): Analysis => {
    const known = analyses.get(source) ?? analyse(source);
    analyses.delete(source);
    analyses.set(source, known);
    if (analyses.size > MOST_ANALYSES) analyses.delete(analyses.keys().next().value as string);
    return known;
  };

  async function fill(value: unknown, scope: Readonly<Record<string, unknown>>): Promise<unknown> {
    const sources = sourcesIn(value);
    if (sources.length === 0) return filledIn(value, new Map());
    const work = { do: 'evaluate', sources, scope: needed(sources, scope, analysed) } as const;
    const texts = (await thread.ask(work, ({ why, at }) =>
      stopped(quotedSource(sources[at] ?? ''), why, limitMs),
    )) as readonly string[];
    return filledIn(value, new Map(sources.map((source, index) => [source, texts[index] as string])));
  }

  return {
    fill,
    async isTrue(template, scope) {
      const value = await fill(template, scope);
      if (typeof value === 'boolean') return value;
      const what = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a value of type ${typeof value}`;
      throw new AppError(
        'invalid_input',
        `The condition must give true or false, and gives ${what}: ${template.slice(0, 200)}`,
      );
    },
    async checkInputs(schemas, given) {
      const names = Object.keys(schemas);
      const work = { do: 'check', schemas: Object.entries(schemas), given: Object.entries(given) } as const;
      const checked = await thread.ask(work, ({ why, at }) =>
        stopped(`The check of the input "${names[at] ?? ''}"`, why, limitMs),
      );
      return Object.fromEntries(checked as readonly (readonly [string, unknown])[]);
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}

/** What the expressions refer to: the results of all steps together may be large. */
function needed(
  sources: readonly string[],
  scope: Readonly<Record<string, unknown>>,
  analysed: (source: string) => Analysis,
): Scope {
  // A variable may have the name of a type, and then the analysis does not name it.
  const roots = new Set(typeNames);
  const names = new Set<string>();
  for (const source of sources) {
    const analysis = analysed(source);
    if ('problem' in analysis)
      throw new AppError('invalid_input', `${quotedSource(source)}: ${analysis.problem.message}`);
    for (const root of analysis.roots) roots.add(root);
    for (const step of analysis.steps) names.add(step);
  }
  const steps = (own(scope, 'steps') ?? {}) as Readonly<Record<string, unknown>>;
  const picked = (name: string): unknown =>
    name === 'steps'
      ? Object.fromEntries(
          [...names].filter((step) => Object.hasOwn(steps, step)).map((step) => [step, own(steps, step)]),
        )
      : own(scope, name);
  return {
    variables: [...roots].filter((root) => Object.hasOwn(scope, root)).map((root) => [root, picked(root)]),
    stepNames: Object.keys(steps).slice(0, MOST_STEP_NAMES),
  };
}

function stopped(what: string, why: Stopped['why'], limitMs: number): AppError {
  return why === 'time'
    ? new AppError('timeout', `${what} took longer than ${limitMs} ms and was stopped. Make it simpler.`)
    : new AppError('too_large', `${what} needs too much memory and was stopped. Make it simpler.`);
}
