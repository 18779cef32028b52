import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { toolsFor } from '../../kernel/tool.ts';
import type { Endpoints } from '../ai-tools/endpoints.ts';
import type { BridgeDeps } from '../exposer.ts';
import type { Found } from '../discover.ts';
import type { Runs } from '../run/runs.ts';

/** Dependencies of the bridge's own tools. */
export interface BridgeToolDeps {
  readonly bridge: BridgeDeps;
  readonly endpoints: Endpoints;
  readonly runs: Runs;
  /** Names of every bridged n8n. */
  instances(): readonly string[];
  /** Updates the tools from what was found. */
  update(instance: string, found: readonly Found[], signal: AbortSignal): Promise<void>;
}

export const bridgeTool = toolsFor<BridgeToolDeps>({ category: 'bridge', tags: ['n8n', 'bridge'] });

export const instanceInput = z
  .string()
  .optional()
  .describe('Name of the n8n in the configuration. Default: every bridged one');

export function instancesOf({ instances }: BridgeToolDeps, wanted: string | undefined): readonly string[] {
  const all = instances();
  if (wanted === undefined) return all;
  if (all.includes(wanted)) return [wanted];
  throw new AppError('not_found', `No n8n called ${wanted} is bridged. Bridged: ${all.join(', ') || 'none'}.`);
}
