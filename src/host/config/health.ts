import type { Health } from '../../kernel/health.ts';

export interface ConfigHealth {
  /** A new configuration is in effect. */
  taken(file: string | undefined, failed?: readonly string[]): void;
  /** A changed configuration was rejected. */
  rejected(problems: readonly string[]): void;
  /** Secrets of the file cannot be read now, and the values from before are used; nothing if they can be read. */
  kept(problems: readonly string[]): void;
  health(): Health;
}

/** Whether the running configuration is what the file says. */
export function createConfigHealth(first: string | undefined): ConfigHealth {
  let file = first;
  let since = new Date().toISOString();
  let problem: string | undefined;
  let partly: string | undefined;
  let stale: { readonly message: string; readonly since: string } | undefined;
  return {
    taken(next, failed = []) {
      file = next;
      since = new Date().toISOString();
      problem = undefined;
      partly =
        failed.length > 0 ? `The changed configuration is only partly in effect: ${failed.join(' ')}` : undefined;
    },
    rejected(problems) {
      if (problem === undefined) since = new Date().toISOString();
      problem = problems.join(' ');
    },
    kept(problems) {
      stale =
        problems.length === 0
          ? undefined
          : {
              message: `Secrets of the configuration cannot be read, the values from before are used: ${problems.join(' ')}`,
              since: stale?.since ?? new Date().toISOString(),
            };
    },
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
