import { boundBy, callTool, previewTool } from './call.ts';
import { onBehalfOf } from './caller.ts';
import { outlineOf } from './lean-schema.ts';
import { meantBy } from './meant.ts';
import { scopeFor } from './principal.ts';
import type { Entry, Exposure, OwnPrompt, OwnResources, ToolSource, WireTool } from './source.ts';
import { type AnyTool, asksFirst, wireTool } from './tool.ts';

/** Everything about a tool but its code: plain data. */
export type ListedTool = Omit<
  AnyTool<never>,
  'aliases' | 'title' | 'description' | 'input' | 'output' | 'effectOf' | 'preview' | 'bound' | 'run'
> & {
  readonly wire: WireTool;
};

export function listedTool(tool: AnyTool<never>): ListedTool {
  const { aliases: _, title: _title, description: _description, input: _input, output: _output, ...rest } = tool;
  const { preview: _preview, bound: _bound, run: _run, effectOf: _effectOf, ...data } = rest;
  return { ...data, wire: wireTool(tool) };
}

/** A tool of our own, callable. */
export function ownEntry(
  listed: ListedTool,
  ways: Pick<Entry, 'preview' | 'bound' | 'call' | 'aliases' | 'judge' | 'scopes'>,
): Entry {
  const { outputSchema = {}, ...wire } = listed.wire;
  return {
    ...ways,
    tool: listed.name,
    ...(listed.unlisted && { unlisted: true }),
    wire: { ...wire, outputSchema: outlineOf(outputSchema) },
    outputSchema,
    meant: meantBy(wire.inputSchema),
    effect: listed.effect,
    scope: listed.scope,
    ...(asksFirst(listed) && { confirm: true, declaresConfirm: true }),
    ...(listed.takesMore && { takesMore: true }),
    ...(listed.recorded && { recorded: listed.recorded }),
    ...(listed.category !== undefined && { category: listed.category }),
    ...(listed.tags && { tags: listed.tags }),
    ...(listed.guidance !== undefined && { guidance: listed.guidance }),
    ...(listed.phrases !== undefined && { phrases: listed.phrases.split('; ') }),
    ...(listed.examples && { examples: listed.examples }),
  };
}

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
  function entryOf(tool: AnyTool<Deps>): Entry {
    const preview = previewTool(tool, options.deps);
    const call = callTool(tool, options.deps);
    const named = { source: options.id, tool: tool.name };
    const { effectOf } = tool;
    return ownEntry(listedTool(tool), {
      ...(tool.aliases && { aliases: new Map(Object.entries(tool.aliases)) }),
      ...(effectOf && {
        judge(given) {
          const effect = effectOf(given);
          return { effect, scope: scopeFor(options.id, effect) };
        },
        scopes: (['read', 'update', 'execute'] as const).map((effect) => scopeFor(options.id, effect)),
      }),
      ...(tool.bound && { bound: boundBy(tool, options.deps) }),
      preview: (params, context) => onBehalfOf(named, context, () => preview(params, context)),
      call: (params, context) => onBehalfOf(named, context, () => call(params, context)),
    });
  }
  return {
    id: options.id,
    prefix: '',
    exposure: options.exposure,
    ...(options.description !== undefined && { description: options.description }),
    ...(options.guide && { guide: options.guide }),
    ...(options.prompts && { prompts: options.prompts }),
    ...(options.resources && { resources: options.resources }),
    entries: () => (built ??= options.tools.map(entryOf)),
    onChange: () => () => {},
  };
}
