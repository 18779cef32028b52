import type { Principal } from '../../kernel/principal.ts';
import type { CallContext, Json, Outcome } from '../../kernel/source.ts';
import type { Action, Origin } from '../definition/shape.ts';

/**
 * How an action ended. `final`: trying again cannot help. `unsure`: whoever was to do it went away or fell silent, so it may
 * have taken effect. `away`: it is not there now; `unsent`, if it certainly
 * did not get the call. `execution`: that of n8n.
 */
export type Acted =
  | { readonly result: unknown; readonly execution?: string }
  | {
      readonly error: string;
      readonly final?: boolean;
      readonly unsure?: boolean;
      readonly away?: 'unsent' | 'maybe sent';
      readonly execution?: string;
    };

/** What an action may use. */
export interface Acting {
  /** Sent along, so that whoever gets the same call twice can tell. */
  readonly key: string;
  readonly principal: Principal;
  readonly origin: Origin;
  readonly trace: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Removes the secrets of the run. */
  mask(text: string): string;
}

/** Calls a tool as a principal, through the one call path. */
export type Call = (name: string, args: Json, context: CallContext, meta?: Json) => Promise<Outcome>;

export interface ActDeps {
  readonly call: Call;
}

export type Act<Kind extends Action['kind']> = (
  action: Extract<Action, { kind: Kind }>,
  acting: Acting,
  deps: ActDeps,
) => Promise<Acted>;
