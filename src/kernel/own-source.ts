import { callTool, previewTool } from './call.ts';
import { onBehalfOf } from './caller.ts';
import { outlineOf } from './lean-schema.ts';
import { meantBy } from './meant.ts';
import type { Entry, Exposure, OwnPrompt, OwnResources, ToolSource } from './source.ts';
import { type AnyTool, wireTool } from './tool.ts';

/** A family of our own tools as a source. Their names are complete and do not change while we run. */
export function createOwnSource<Deps>(options: {
  id: string;
  exposure: Exposure;
  description?: string;
  guide?(): readonly string[];
  tools: readonly AnyTool<Deps>[];
  prompts?: readonly OwnPrompt[];
  resources?: OwnResources;
  deps: Deps;
}): ToolSource {
  // Build the schemas on first use: not everyone uses every family.
  let built: Entry[] | undefined;
  const entryOf = (tool: AnyTool<Deps>, { outputSchema = {}, ...wire } = wireTool(tool)): Entry => ({
    ...ways(tool),
    tool: tool.name,
    ...(tool.aliases && { aliases: new Map(Object.entries(tool.aliases)) }),
    ...(tool.unlisted && { unlisted: true }),
    wire: { ...wire, outputSchema: outlineOf(outputSchema) },
    outputSchema,
    meant: meantBy(wire.inputSchema),
    effect: tool.effect,
    scope: tool.scope,
    ...(tool.effect === 'delete' && { confirm: true, declaresConfirm: true }),
    ...(tool.takesMore && { takesMore: true }),
    ...(tool.category !== undefined && { category: tool.category }),
    ...(tool.tags && { tags: tool.tags }),
    ...(tool.guidance !== undefined && { guidance: tool.guidance }),
    ...(tool.phrases !== undefined && { phrases: tool.phrases.split('; ') }),
    ...(tool.examples && { examples: tool.examples }),
  });
  function ways(tool: AnyTool<Deps>): Pick<Entry, 'preview' | 'call'> {
    const preview = previewTool(tool, options.deps);
    const call = callTool(tool, options.deps);
    const named = { source: options.id, tool: tool.name };
    return {
      preview: (params, context) => onBehalfOf(named, context, () => preview(params, context)),
      call: (params, context) => onBehalfOf(named, context, () => call(params, context)),
    };
  }
  return {
    id: options.id,
    prefix: '',
    exposure: options.exposure,
    ...(options.description !== undefined && { description: options.description }),
    ...(options.guide && { guide: options.guide }),
    ...(options.prompts && { prompts: options.prompts }),
    ...(options.resources && { resources: options.resources }),
    entries: () => (built ??= options.tools.map((tool) => entryOf(tool))),
    onChange: () => () => {},
  };
}
