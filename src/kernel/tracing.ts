import type { AppError } from './errors.ts';
import type { CallContext, Json, Outcome } from './source.ts';
import type { Trace } from './trace.ts';

/** A request to a backend, as far as a trace tells of it. */
export interface PassedOn {
  readonly backend: string;
  readonly method: string;
  /** In the backend's own names: a tool, a prompt, a URI. */
  readonly name: string;
  readonly transport: string;
  readonly version: string;
  readonly url?: string;
}

/** Follows requests from a client through to the backend. There is none where nobody collects traces. */
export interface Tracer {
  /** A client's request begins; what is returned hears how it ended. */
  serves(
    request: { readonly id: unknown; readonly method: string; readonly params?: Json | undefined },
    context: CallContext,
  ): (outcome: Outcome) => void;
  /** It is passed on: `trace` is what the backend is told. */
  passesOn(to: PassedOn, context: CallContext): { readonly trace: Trace; ended(outcome: Outcome | AppError): void };
}
