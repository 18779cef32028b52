import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Json } from '../../kernel/source.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { analyse } from '../expressions/analysis.ts';
import type { Evaluator } from '../expressions/evaluator.ts';
import { templateParts } from '../expressions/template.ts';
import { shownInputs } from '../runs/secrets.ts';
import { small } from './view.ts';
import type { DeployDeps } from './deploying.ts';
import { prepare } from './deploying.ts';
import type { PlannedStepView, PlanView } from './plan-view.ts';
import { type PlannedStep, stepsOf } from './steps-of.ts';

const MOST_WORK_BYTES = 900;
/** Runs wait for the same thread. What is not filled in by then stays as it is written. */
const LONGEST_MS = 5000;

/** What would happen. Changes nothing. */
export async function plan(
  given: {
    readonly name: string;
    readonly inputs: Json;
    readonly principal: Principal;
    readonly from?: number | undefined;
  },
  deps: Pick<DeployDeps, 'definitions' | 'evaluator' | 'tool' | 'reachable' | 'isReadOnly' | 'services'>,
): Promise<PlanView> {
  const { definition, nested, inputs } = await prepare(given, deps);
  const planned = stepsOf(definition, nested, given.principal, deps);
  const evaluator = await deps.evaluator();
  const shown = shownInputs(definition, inputs);
  const scope = { inputs: shown, run: { id: '(new)', name: definition.name }, services: [...deps.services()] };
  const steps: PlannedStepView[] = [];
  const secret = new Set(Object.keys(inputs).filter((name) => inputs[name] !== shown[name]));
  // Only a text can stand for the value that is not shown.
  const hidden = new Set([...secret].filter((name) => typeof inputs[name] !== 'string'));
  const filling = { scope, hidden, secret, evaluator, until: performance.now() + LONGEST_MS };
  for (const one of planned) steps.push(await stepView(one, filling));
  const named = (kind: PlannedStep['confirm']) =>
    planned.filter(({ confirm }) => confirm === kind).map(({ path }) => path);
  const frame = {
    name: definition.name,
    inputs: small(shown, (text) => text),
    on_failure: definition.onFailure,
    ...(definition.schedule !== undefined && { schedule: definition.schedule }),
    confirmations: named(true),
    approvals: named('human'),
  };
  const rest = steps.slice(given.from ?? 0);
  const fits = fittingItems(rest, frame);
  return { ...frame, steps: rest.slice(0, fits), ...(fits < rest.length && { more_steps: rest.length - fits }) };
}

interface Filling {
  readonly scope: Readonly<Record<string, unknown>>;
  /** Inputs that no expression can use here. */
  readonly hidden: ReadonlySet<string>;
  /** Inputs for which something else stands here. */
  readonly secret: ReadonlySet<string>;
  readonly evaluator: Evaluator;
  readonly until: number;
}

async function stepView({ path, step, effect, confirm }: PlannedStep, filling: Filling): Promise<PlannedStepView> {
  // Inputs of a called blueprint come from the step that calls it.
  const isOwn = !path.includes('.');
  const filled = (value: unknown) => (isOwn ? fillKnown(value, filling) : Promise.resolve(value));
  const { kind, ...does } = step.work;
  const items = step.forEach === undefined ? undefined : await filled(step.forEach);
  return {
    step: path,
    kind,
    does: limited(await filled(does)),
    ...(step.when !== undefined && { when: step.when }),
    ...(isOwn && step.when !== undefined && (await isFalse(step.when, filling)) && { skipped: true as const }),
    ...(items !== undefined && { for_each: limited(items) }),
    ...(Array.isArray(items) && { items: items.length }),
    ...(effect !== undefined && { effect }),
    ...(confirm && { confirm: confirm === 'human' ? ('person' as const) : ('deploy' as const) }),
    ...(step.undo && { undo: limited(await filled(step.undo)) }),
  };
}

const limited = (value: unknown): unknown => {
  const json = JSON.stringify(value) ?? 'null';
  return json.length > MOST_WORK_BYTES ? `${json.slice(0, MOST_WORK_BYTES)}…` : value;
};

/** Fills in the templates whose values are known before the run begins, one after the other: others want to get in between. */
async function fillKnown(value: unknown, filling: Filling): Promise<unknown> {
  const { scope, evaluator, until } = filling;
  if (typeof value === 'string') {
    if (!isKnown(value, filling) || performance.now() > until) return value;
    try {
      return await evaluator.fill(value, scope);
    } catch (error) {
      if (error instanceof AppError) return `(${error.message})`;
      throw error;
    }
  }
  if (Array.isArray(value)) return Array.fromAsync(value, (one) => fillKnown(one, filling));
  if (typeof value !== 'object' || value === null) return value;
  const entries: (readonly [string, unknown])[] = [];
  for (const [key, inner] of Object.entries(value)) entries.push([key, await fillKnown(inner, filling)]);
  return Object.fromEntries(entries);
}

/** Whether it is certain that a condition does not hold. */
async function isFalse(when: string, filling: Filling): Promise<boolean> {
  const { scope, secret, evaluator, until } = filling;
  if (!isKnown(when, { ...filling, hidden: secret }) || performance.now() > until) return false;
  try {
    return !(await evaluator.isTrue(when, scope));
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function isKnown(text: string, { scope, hidden }: Pick<Filling, 'scope' | 'hidden'>): boolean {
  if (!text.includes('${')) return true;
  return templateParts(text).every((part) => {
    if (part.kind === 'text') return true;
    const found = analyse(part.source);
    if ('problem' in found || [...found.inputs].some((name) => hidden.has(name))) return false;
    return [...found.roots].every((root) => Object.hasOwn(scope, root));
  });
}
