import { z } from 'zod';
import type { Registered } from '../../gateway/registry.ts';
import { needsConfirmation } from '../../kernel/confirmation.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Exposure } from '../../kernel/source.ts';
import type { RestDeps } from './deps.ts';
import { costOf, lineOf, toolCost } from './tool-cost.ts';

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

const exposure = z.enum(['flat', 'compact', 'search']).describe('How MCP clients see it');

/** A tool in a list of thousands. */
export const toolBrief = toolSummary
  .pick({ name: true, title: true, description: true, source: true, effect: true })
  .extend({ exposure, bytes: toolCost });

/** Everything known about one tool. */
export const toolDetails = toolSummary.extend({
  version: z.string().describe('Version of the server or part that provides the tool'),
  available: z.boolean().describe('False while its server is down'),
  scope: z.string().describe('A key needs this scope or tools:execute to call it'),
  original_name: z.string().optional().describe('Its name at its server, if that is not a part of its name here'),
  needs_confirmation: z.boolean().describe('Calls of whoever asks must be confirmed: the first one gets 409'),
  confirmed_by: z
    .enum(['token', 'human'])
    .optional()
    .describe('token: repeat the call with the token of the 409. human: a person has to approve it'),
  output_schema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of structuredContent'),
  annotations: z.record(z.string(), z.unknown()).optional(),
  workflow_guidance: z.string().nullable().describe('When and how to use it'),
  usage_examples: z.array(z.unknown()).describe('Example arguments'),
  exposure,
  bytes: toolCost.describe('What it costs a client in each exposure; nothing in the exposure search'),
  line: z.string().describe('How a compact list shows it'),
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

const LONGEST_BRIEF = 240;

export function briefOf(tool: Registered, exposure: Exposure): z.infer<typeof toolBrief> {
  const { name, source, entry, wire } = tool;
  return {
    name,
    ...(wire.title !== undefined && { title: wire.title.slice(0, LONGEST_BRIEF) }),
    description: (wire.description ?? '').slice(0, LONGEST_BRIEF),
    source,
    effect: entry.effect,
    exposure,
    bytes: costOf(tool),
  };
}

/** How MCP clients see the tools of each source, unless they ask for another exposure. */
export function exposures(
  { gateway }: RestDeps,
  principal: Principal,
  toolset?: string,
): (tool: Registered) => Exposure {
  const view = toolset === undefined ? {} : { toolset };
  const { sources } = gateway.visibility.projection({ view, principal });
  const known = new Map(sources.map(({ source, exposure }) => [source, exposure]));
  return ({ origin }) => known.get(origin) ?? origin.exposure;
}

export function detailsOf(
  tool: Registered,
  deps: RestDeps,
  principal: Principal,
): Omit<z.infer<typeof toolDetails>, 'processing_time_ms' | 'request_id'> {
  const { entry, wire, source } = tool;
  const backend = deps.gateway.backend(source);
  const info = backend?.catalogue?.info.version;
  const confirmation = needsConfirmation(tool, principal);
  const output = entry.outputSchema ?? wire.outputSchema;
  return {
    ...summaryOf(tool),
    version: backend ? (typeof info === 'string' ? info : 'unknown') : deps.version,
    available: !backend || (backend.state !== 'FAILED' && backend.state !== 'STOPPED'),
    scope: entry.scope,
    ...(!`__${tool.name}`.endsWith(`__${entry.tool}`) && { original_name: entry.tool }),
    needs_confirmation: confirmation !== false,
    ...(confirmation !== false && { confirmed_by: confirmation === 'human' ? 'human' : 'token' }),
    ...(output && { output_schema: { ...output } }),
    ...(wire.annotations && { annotations: { ...wire.annotations } }),
    workflow_guidance: entry.guidance ?? null,
    usage_examples: (entry.examples ?? []).map((example) => example.arguments),
    exposure: exposures(deps, principal)(tool),
    bytes: costOf(tool),
    line: lineOf(tool),
  };
}
