import type { Health } from '../../kernel/health.ts';
import type { Problem } from './problems.ts';

export interface ConfigHealth {
  /** A new configuration is in effect. */
  taken(file: string | undefined, failed?: readonly string[]): void;
  /** A changed configuration was rejected. `lines` say the same as the problems. */
  rejected(problems: readonly Problem[], lines: readonly string[]): void;
  /** Secrets of the file cannot be read now, and the values from before are used; nothing if they can be read. */
  kept(problems: readonly string[]): void;
  health(): Health;
  /** What is wrong with the changed file; nothing if it is in effect. */
  problems(): readonly Problem[];
}

/** Whether the running configuration is what the file says. */
export function createConfigHealth(first: string | undefined): ConfigHealth {
  let file = first;
  let since = new Date().toISOString();
  let problem: string | undefined;
  let problems: readonly Problem[] = [];
  let partly: string | undefined;
  let stale: { readonly message: string; readonly since: string } | undefined;
  return {
    taken(next, failed = []) {
      file = next;
      since = new Date().toISOString();
      problem = undefined;
      problems = [];
      partly =
        failed.length > 0 ? `The changed configuration is only partly in effect: ${failed.join(' ')}` : undefined;
    },
    rejected(found, lines) {
      if (problem === undefined) since = new Date().toISOString();
      problem = lines.join(' ');
      problems = found;
    },
    kept(unread) {
      stale =
        unread.length === 0
          ? undefined
          : {
              message: `Secrets of the configuration cannot be read, the values from before are used: ${unread.join(' ')}`,
              since: stale?.since ?? new Date().toISOString(),
            };
    },
    problems: () => problems,
    health() {
      const named = { name: 'configuration', kind: 'configuration', since } as const;
      if (problem === undefined && partly !== undefined)
        return { ...named, state: 'degraded', lastError: { message: partly, at: since }, fix: 'Restart the gateway.' };
      if (problem === undefined && stale !== undefined)
        return {
          ...named,
          state: 'degraded',
          since: stale.since,
          lastError: { message: stale.message, at: stale.since },
        };
      if (problem === undefined)
        return {
          ...named,
          state: 'ready',
          detail: file ?? 'no file: defaults and environment (sluice init writes one)',
        };
      const message = `The changed configuration is invalid, the old one stays in effect: ${problem}`;
      return { ...named, state: 'failing', lastError: { message, at: since } };
    },
  };
}
