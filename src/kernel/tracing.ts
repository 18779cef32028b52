import type { AppError } from './errors.ts';
import type { CallContext, Json, Outcome } from './source.ts';
import type { Trace } from './trace.ts';

/** A request to a backend, as a trace describes it. */
export interface PassedOn {
  readonly backend: string;
  readonly method: string;
  /** The backend's own name of a tool or prompt, or a URI. */
  readonly name: string;
  readonly transport: string;
  readonly version: string;
  readonly url?: string;
}

/** Follows requests from a client to the backend. Absent if traces are not collected. */
export interface Tracer {
  /** Called when a client's request begins. The returned function is called when it ends. */
  serves(
    request: { readonly id: unknown; readonly method: string; readonly params?: Json | undefined },
    context: CallContext,
  ): (outcome: Outcome) => void;
  /** Called when the request is passed on. `trace` goes to the backend. */
  passesOn(to: PassedOn, context: CallContext): { readonly trace: Trace; ended(outcome: Outcome | AppError): void };
}
