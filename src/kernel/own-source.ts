import { callTool } from '../kernel/call.ts';
import type { Exposure, ToolSource } from '../kernel/source.ts';
import { type AnyTool, wireTool } from '../kernel/tool.ts';

/** A family of our own tools as a source. Their names are complete, and they do not change while we run. */
export function createOwnSource<Deps>(options: {
  id: string;
  exposure: Exposure;
  description?: string;
  tools: readonly AnyTool<Deps>[];
  deps: Deps;
}): ToolSource {
  const entries = options.tools.map((tool) => ({
    tool: tool.name,
    wire: wireTool(tool),
    effect: tool.effect,
    scope: tool.scope,
    ...(tool.effect === 'delete' && { confirm: true, declaresConfirm: true }),
    ...(tool.category !== undefined && { category: tool.category }),
    ...(tool.tags && { tags: tool.tags }),
    ...(tool.guidance !== undefined && { guidance: tool.guidance }),
    ...(tool.examples && { examples: tool.examples }),
    call: callTool(tool, options.deps),
  }));
  return {
    id: options.id,
    prefix: '',
    exposure: options.exposure,
    ...(options.description !== undefined && { description: options.description }),
    entries: () => entries,
    onChange: () => () => {},
  };
}
