import { z } from 'zod';
import type { Registered } from '../../gateway/registry.ts';
import type { RestDeps } from './deps.ts';

/** A tool in the list. */
export const toolSummary = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()).describe('JSON Schema of the arguments'),
  category: z.string().describe('Topic; the name of the source if no topic is known'),
  tags: z.array(z.string()),
  source: z.string().describe('The server or part of Sluice it comes from'),
  effect: z.enum(['read', 'create', 'update', 'delete', 'execute']),
});

/** Everything known about one tool. */
export const toolDetails = toolSummary.extend({
  version: z.string().describe('Version of the server or part that provides the tool'),
  available: z.boolean().describe('False while its server is down'),
  scope: z.string().describe('A key needs this scope or tools:execute to call it'),
  needs_confirmation: z.boolean().describe('The first call gets 409 and a token to confirm it with'),
  output_schema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of structuredContent'),
  annotations: z.record(z.string(), z.unknown()).optional(),
  workflow_guidance: z.string().nullable().describe('When and how to use it'),
  usage_examples: z.array(z.unknown()).describe('Example arguments'),
  processing_time_ms: z.number(),
  request_id: z.string(),
});

export function summaryOf({ name, source, entry, wire }: Registered): z.infer<typeof toolSummary> {
  return {
    name,
    ...(wire.title !== undefined && { title: wire.title }),
    description: wire.description ?? '',
    parameters: wire.inputSchema,
    category: entry.category ?? source,
    tags: [...(entry.tags ?? [])],
    source,
    effect: entry.effect,
  };
}

export function detailsOf(
  tool: Registered,
  deps: RestDeps,
): Omit<z.infer<typeof toolDetails>, 'processing_time_ms' | 'request_id'> {
  const { entry, wire, source } = tool;
  const backend = deps.gateway.backend(source);
  const info = backend?.catalogue?.info.version;
  const output = entry.outputSchema ?? wire.outputSchema;
  return {
    ...summaryOf(tool),
    version: backend ? (typeof info === 'string' ? info : 'unknown') : deps.version,
    available: !backend || (backend.state !== 'FAILED' && backend.state !== 'STOPPED'),
    scope: entry.scope,
    needs_confirmation: entry.confirm !== undefined && entry.confirm !== false,
    ...(output && { output_schema: { ...output } }),
    ...(wire.annotations && { annotations: { ...wire.annotations } }),
    workflow_guidance: entry.guidance ?? null,
    usage_examples: (entry.examples ?? []).map((example) => example.arguments),
  };
}
