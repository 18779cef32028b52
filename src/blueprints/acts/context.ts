import { AppError } from '../../kernel/errors.ts';
import type { CallContext } from '../../kernel/source.ts';
import { traceFrom } from '../../kernel/trace.ts';
import { LATEST_LEGACY } from '../../wire/versions.ts';
import type { Acting } from './act.ts';

/** A run is no client: nobody answers questions, and its calls were confirmed when it was deployed. */
const client = {
  era: 'legacy',
  version: LATEST_LEGACY,
  info: { name: 'sluice-blueprint', title: 'Sluice blueprint', version: '1' },
  capabilities: {},
} as const;

export const contextOf = ({ principal, trace, signal, mask }: Acting): CallContext => ({
  principal,
  signal,
  trace: traceFrom({ traceparent: trace }),
  client,
  confirmed: true,
  mask,
  notify() {},
  ask: () => Promise.reject(new AppError('unsupported', 'Nobody can answer a question during a run.')),
});
