import type { Callable } from '../../kernel/callable.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Standing } from '../../auth/standing.ts';
import type { OwnCalls } from '../../kernel/own-calls.ts';
import type { Json } from '../../kernel/source.ts';
import type { StoredEvent } from '../../store/store.ts';
import type { Acted, Acting } from '../acts/act.ts';
import type { Action } from '../definition/shape.ts';
import type { Evaluator } from '../expressions/evaluator.ts';
import type { BlueprintEvents } from '../facts.ts';
import type { Journal } from './journal.ts';
import type { Goal, Run, RunHead, Waits } from './run.ts';
import type { Units } from './scope.ts';

/** What carrying out runs needs. */
export interface CarryDeps {
  readonly journal: Journal;
  readonly events: BlueprintEvents;
  evaluator(): Promise<Evaluator>;
  act(action: Action, acting: Acting): Promise<Acted>;
  /** The tool that a call reaches, whoever may see it: routes depend on the arguments. */
  tool(name: string, args?: Json): Callable | undefined;
  /** Whether the owner allows nothing now that changes things. */
  isReadOnly(): boolean;
  /** Sources that have tools. */
  services(): readonly string[];
  standing(principal: Principal): Promise<Standing>;
  /** Events of a type after one, oldest first. */
  eventsAfter(type: string, after: number, own: OwnCalls | undefined): Promise<readonly StoredEvent[]>;
  lastEvent(): Promise<number>;
  /** Has others begin whose turn it is: a part has ended. */
  begin(): Promise<void>;
  /** Has the next part of a run carried out. */
  start(run: string, part: number, at?: number): Promise<void>;
  /** Has a run head for something else. */
  aim(run: RunHead, goal: Goal): Promise<void>;
  /** A run waits for something that has happened. */
  wake(run: RunHead): Promise<void>;
  /** A run could not be carried out; the engine tries again. */
  trouble(error: unknown): void;
  redact(text: string): string;
  /** Something about a run changed, for whoever watches it. */
  changed(run: string): void;
  readonly replica: string | undefined;
  /** The process is about to end: nothing more is begun. */
  readonly resting: AbortSignal;
  /** What is under way is stopped. */
  readonly stopping: AbortSignal;
}

/** A run while it is carried out. */
export interface Carrying {
  readonly run: Run;
  readonly units: Units;
  /** Aborted when the run is heading for something else. */
  readonly signal: AbortSignal;
  mask(text: string): string;
}

/** Where a step has come. `waits` and `stopped` are no end. */
export type Reached = 'done' | 'skipped' | 'failed' | 'unknown' | 'stopped' | Waiting;

export interface Waiting {
  readonly waits: Waits;
  /** When it goes on by itself. */
  readonly until?: number;
  /** The arguments of the call that somebody has to approve, as they may be shown: JSON. */
  readonly asked?: string;
}

export const isWaiting = (reached: Reached): reached is Waiting => typeof reached === 'object';

/** The process ends, or cannot tell how something ended: the engine has it done later. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
  }
}
