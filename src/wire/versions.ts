import type { Era } from '../kernel/source.ts';

export const MODERN = '2026-07-28';
export const LATEST_LEGACY = '2025-11-25';

/** Newest first. 2024-11-05 is the HTTP+SSE era; its messages are those of 2025-03-26 without batches. */
export const legacyVersions = [LATEST_LEGACY, '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Revisions are dates, so they compare as text. Anything else counts as modern. */
export function eraOf(version: string): Era {
  return /^\d{4}-\d{2}-\d{2}$/.test(version) && version < MODERN ? 'legacy' : 'modern';
}

/** The version to answer an initialize with: the client's own if we support it, else our newest. */
export function negotiate(requested: unknown): string {
  return legacyVersions.find((version) => version === requested) ?? LATEST_LEGACY;
}

export const meta = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;
