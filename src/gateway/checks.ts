import type { Check } from '../host/check.ts';
import { AppError } from '../kernel/errors.ts';
import { adviceFor } from './advice.ts';
import type { Gateway } from './gateway.ts';
import type { BackendSettings } from './settings.ts';

/** Checks every running server, and lists the ones that are switched off. */
export function serverChecks(
  { backends }: Pick<Gateway, 'backends'>,
  servers: Readonly<Record<string, BackendSettings>>,
): Check[] {
  const checks = backends().map((backend): Check => {
    const { name, state, catalogue, settings, lastError } = backend;
    const check = `server ${name}`;
    const { kind } = settings.transport;
    if (state === 'RUNNING') {
      const detail = `${catalogue?.tools.length ?? 0} tools (${kind}, ${catalogue?.version ?? 'unknown protocol'})`;
      return { check, result: 'ok', detail };
    }
    // A failed server restarts at once: to say that it is starting would hide why it fails.
    if (state === 'STARTING' && lastError === undefined)
      return { check, result: 'warning', detail: 'is still starting', fix: 'Look again in a moment.', unsettled: true };
    const detail = lastError?.message ?? `is ${state}`;
    const fix = adviceFor(kind, lastError?.error ?? new AppError('unavailable', detail));
    const works = state === 'DEGRADED' && backend.urls().some((url) => url.state === 'RUNNING');
    return { check, result: works ? 'warning' : 'failed', detail, ...(fix !== undefined && { fix }) };
  });
  const off = Object.entries(servers).flatMap(([name, { enabled }]) => (enabled ? [] : [name]));
  return [...checks, ...off.map((name): Check => ({ check: `server ${name}`, result: 'ok', detail: 'switched off' }))];
}
