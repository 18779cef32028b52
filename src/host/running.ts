import type { EventLog } from '../kernel/events.ts';
import type { Fact } from '../kernel/facts.ts';
import type { Absent, Health } from '../kernel/health.ts';
import type { Route } from '../kernel/route.ts';
import type { Shared } from '../kernel/shared.ts';
import type { Recording } from '../store/event-log.ts';
import type { Check } from './check.ts';
import type { Log } from './log/log.ts';
import type { ServerSettings } from './server-settings.ts';

/** All parts, opened and begun, as a command that serves them sees them. */
export interface Running<Apis> extends AsyncDisposable {
  readonly apis: Apis;
  readonly home: string;
  readonly version: string;
  readonly shared: Shared;
  readonly events: EventLog<Fact> & Recording;
  readonly log: Log | undefined;
  readonly routes: readonly Route[];
  /** Every server was tried once. */
  readonly settled: Promise<void>;
  isSettled(): boolean;
  server(): ServerSettings;
  url(): { readonly here?: string };
  health(): readonly Health[];
  absent(): readonly Absent[];
  served(sessions: () => number): void;
  watch(): AsyncDisposable;
  check(signal: AbortSignal): AsyncIterable<Check>;
  stop(): void;
}
