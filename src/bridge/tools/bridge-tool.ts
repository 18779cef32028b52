import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { toolsFor } from '../../kernel/tool.ts';
import type { Endpoints } from '../ai-tools/endpoints.ts';
import type { BridgeDeps } from '../exposer.ts';
import type { Found } from '../discover.ts';
import type { Runs } from '../run/runs.ts';

/** What the tools for the bridge may use. */
export interface BridgeToolDeps {
  readonly bridge: BridgeDeps;
  readonly endpoints: Endpoints;
  readonly runs: Runs;
  /** Every n8n that is bridged. */
  instances(): readonly string[];
  /** Lets everybody make tools of what was found. */
  update(instance: string, found: readonly Found[], signal: AbortSignal): Promise<void>;
}

export const bridgeTool = toolsFor<BridgeToolDeps>({ category: 'bridge', tags: ['n8n', 'bridge'] });

export const instanceInput = z
  .string()
  .optional()
  .describe('Which n8n, as the configuration names it; every one that is bridged unless told');

/** The instances that are meant. */
export function instancesOf({ instances }: BridgeToolDeps, wanted: string | undefined): readonly string[] {
  const all = instances();
  if (wanted === undefined) return all;
  if (all.includes(wanted)) return [wanted];
  throw new AppError('not_found', `No n8n called ${wanted} is bridged. Those that are: ${all.join(', ') || 'none'}.`);
}
