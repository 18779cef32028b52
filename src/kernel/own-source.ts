import { boundBy, callTool, previewTool } from './call.ts';
import { onBehalfOf } from './caller.ts';
import { outlineOf } from './lean-schema.ts';
import { meantBy } from './meant.ts';
import { scopeFor } from './principal.ts';
import { type ListedTool, listedTool } from './listed-tool.ts';
import type { Entry, Exposure, OwnPrompt, OwnResources, ToolSource } from './source.ts';
import { type AnyTool, asksFirst } from './tool.ts';

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

/** A family of our own tools. Their names are complete and do not change while we run. */
export interface Family<Deps> {
  readonly id: string;
  readonly plural?: string;
  readonly exposure: Exposure;
  readonly description?: string;
  guide?(): readonly string[];
  readonly prompts?: readonly OwnPrompt[];
  readonly resources?: OwnResources;
  readonly deps: Deps;
}

/** A family whose code is loaded. `createListedSource` is for one whose code few starts need. */
export function createOwnSource<Deps>({
  tools,
  ...family
}: Family<Deps> & { readonly tools: readonly AnyTool<Deps>[] }): ToolSource {
  function entryOf(tool: AnyTool<Deps>): Entry {
    const preview = previewTool(tool, family.deps);
    const call = callTool(tool, family.deps);
    const named = { source: family.id, tool: tool.name };
    const { effectOf } = tool;
    return ownEntry(listedTool(tool), {
      ...(tool.aliases && { aliases: new Map(Object.entries(tool.aliases)) }),
      ...(effectOf && {
        judge(given) {
          const effect = effectOf(given);
          return { effect, scope: scopeFor(family.id, effect) };
        },
        scopes: (['read', 'update', 'execute'] as const).map((effect) => scopeFor(family.id, effect)),
      }),
      ...(tool.bound && { bound: boundBy(tool, family.deps) }),
      preview: (params, context) => onBehalfOf(named, context, () => preview(params, context)),
      call: (params, context) => onBehalfOf(named, context, () => call(params, context)),
    });
  }
  return sourceOf(family, () => tools.map(entryOf));
}

export function sourceOf<Deps>({ deps: _, ...family }: Family<Deps>, build: () => readonly Entry[]): ToolSource {
  // Build the schemas on first use: not everyone uses every family.
  let built: readonly Entry[] | undefined;
  return { ...family, prefix: '', entries: () => (built ??= build()), onChange: () => () => {} };
}
