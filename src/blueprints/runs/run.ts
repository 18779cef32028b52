import type { Json } from '../../kernel/source.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Definition, Nested, Origin } from '../definition/shape.ts';

export const runStates = [
  'pending',
  'running',
  'waiting',
  'succeeded',
  'failed',
  'undoing',
  'undone',
  'cancelled',
  'unknown',
] as const;
export type RunState = (typeof runStates)[number];

/** States in which the engine has something to do, now or later. */
const openStates = ['pending', 'running', 'waiting', 'undoing'] as const satisfies readonly RunState[];

export const isOpen = (state: RunState): boolean => openStates.some((open) => open === state);

/** What a run is heading for. `stop` ends it where it is; `undo-all` also undoes steps that failed or whose end is unknown. */
export type Goal = 'finish' | 'undo' | 'undo-all' | 'stop';

export const isUndo = (goal: Goal): boolean => goal === 'undo' || goal === 'undo-all';

/** Why a run waits. `step` is the step it waits in. */
export type Waits = {
  readonly step: string;
} /** `ask` tells the question about a call from those about other calls of the step. A step that only asks has none. */ & (
  | { readonly for: 'approval'; readonly ask?: string; readonly question: string }
  | { readonly for: 'time' }
  | { readonly for: 'event'; readonly event: string; readonly after: number }
  | { readonly for: 'retry'; readonly error: string }
  | { readonly for: 'blueprint'; readonly runs: readonly string[] }
  | { readonly for: 'rights'; readonly reason: string }
);

/** A run without the values that are sealed. */
export interface RunHead {
  readonly id: string;
  readonly name: string;
  readonly kind: 'blueprint' | 'recipe';
  readonly origin: Origin;
  /** Of the definition. */
  readonly hash: string;
  /** The id of the principal who deployed it. */
  readonly deployer: string;
  /** The id of the principal whose rights count. */
  readonly actor: string;
  readonly state: RunState;
  readonly goal: Goal;
  readonly part: number;
  readonly engine?: string;
  readonly replica?: string;
  readonly waits?: Waits;
  readonly wakeAt?: number;
  readonly error?: string;
  readonly parent?: { readonly run: string; readonly step: string; readonly item: number };
  readonly schedule?: string;
  /** The trace that its calls belong to. */
  readonly trace: string;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly updatedAt: number;
}

export interface Run extends RunHead {
  readonly definition: Definition;
  /** The blueprints that it calls, directly or not, as they were when it was deployed. */
  readonly nested: Readonly<Record<string, Nested>>;
  readonly inputs: Json;
  readonly outputs?: Json;
  /** Tools that were not there when it was deployed, so that nobody confirmed their calls. */
  readonly unconfirmed?: readonly string[];
  /** What is secret in the runs that called it. */
  readonly secrets?: readonly string[];
  /** The arguments of the call that waits for an approval, as they may be shown: JSON. */
  readonly asked?: string;
  /** The principal as it was then; its rights are looked up for each step. */
  readonly as: Principal;
}

export type UnitState = 'running' | 'retrying' | 'waiting' | 'done' | 'skipped' | 'failed' | 'unknown' | 'cancelled';

/** No item: the step itself. */
export const WHOLE = -1;

/** One thing a run does: a step, or one item of it, or the undo of either. */
export interface UnitId {
  readonly run: string;
  readonly step: string;
  readonly item: number;
  readonly phase: 'do' | 'undo';
}

export interface Unit extends UnitId {
  readonly state: UnitState;
  readonly attempt: number;
  readonly token: string;
  /** Whether it is repeated if nobody knows how it ended. */
  readonly repeatable: boolean;
  /** What it was begun with: it is repeated with the same. */
  readonly arguments?: unknown;
  readonly result?: unknown;
  readonly error?: string;
  readonly note?: string;
  readonly startedAt: number;
  readonly endedAt?: number;
}

/** Who decided if nobody did in time. */
export const NOBODY = '';

export interface Decision {
  readonly approved: boolean;
  readonly principal: string;
  readonly name?: string;
  readonly comment?: string;
  readonly at: number;
}

/** The key under which the receiver of a repeated call recognises it. */
export const keyOf = ({ run, step, item, phase }: UnitId): string =>
  `${run}:${step}${item === WHOLE ? '' : `:${item}`}${phase === 'undo' ? ':undo' : ''}`;
