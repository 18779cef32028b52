import { z } from 'zod';
import { toolsFor } from '../kernel/tool.ts';
import type { Runtime } from './runtime.ts';

/** What the blueprint tools may use. It is loaded on the first call. */
export interface BlueprintDeps {
  open(): Promise<Runtime>;
}

export const blueprintTool = toolsFor<BlueprintDeps>({ category: 'blueprint' });

export const nameInput = z.string().min(1).max(100).describe('Name of a blueprint');
export const runInput = z.string().min(1).max(300).describe('Id of a run, or the run_id you gave it');
export const inputsInput = z.record(z.string(), z.unknown()).optional().describe('Inputs by name');
export const waitInput = (otherwise: number) =>
  z.int().min(0).max(900).optional().describe(`Seconds to wait for its end, with progress. Default: ${otherwise}`);

export const findingView = z.object({
  severity: z.enum(['error', 'warning']),
  line: z.number().optional(),
  path: z.string(),
  message: z.string(),
  fix: z.string().optional(),
});
