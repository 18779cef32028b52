import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'warn' | 'bad' | 'off' | 'info';

const tones: ReadonlyMap<string, Tone> = new Map([
  ...(['ready', 'ok', 'running', 'success', 'succeeded', 'active', 'undone'] as const).map(
    (word) => [word, 'good'] as const,
  ),
  ...(['degraded', 'starting', 'pending', 'waiting', 'undoing', 'unknown', 'warning'] as const).map(
    (word) => [word, 'warn'] as const,
  ),
  ...(['failed', 'failing', 'failure', 'error', 'crashed', 'revoked'] as const).map((word) => [word, 'bad'] as const),
  ...(['off', 'stopped', 'cancelled', 'inactive', 'expired'] as const).map((word) => [word, 'off'] as const),
]);

/** A state as a word with a mark; colour is never the only sign. */
export function State({ of, tone, children }: { of: string; tone?: Tone; children?: ComponentChildren }) {
  return <span class={`state ${tone ?? tones.get(of.toLowerCase()) ?? 'info'}`}>{children ?? of.toLowerCase()}</span>;
}
