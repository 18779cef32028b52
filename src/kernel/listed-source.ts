import { boundBy, callTool, previewTool } from './call.ts';
import { onBehalfOf } from './caller.ts';
import { codeOf, type ListedTool } from './listed-tool.ts';
import { type Family, ownEntry, sourceOf } from './own-source.ts';
import type { Entry, ToolSource } from './source.ts';
import { type AnyTool, sameArguments } from './tool.ts';

/** A family of our own tools that a start lists without loading their code. */
export function createListedSource<Deps>({
  listed,
  load,
  ...family
}: Family<Deps> & {
  readonly listed: readonly ListedTool[];
  load(): Promise<readonly AnyTool<Deps>[]>;
}): ToolSource {
  const toolOf = codeOf(load);
  function entryOf(tool: ListedTool): Entry {
    const named = { source: family.id, tool: tool.name };
    return ownEntry(tool, {
      ...(tool.aliases && { aliases: new Map(tool.aliases.map((name) => [name, sameArguments])) }),
      bound: async (params, context) => await boundBy(await toolOf(tool.name), family.deps)(params, context),
      preview: (params, context) =>
        onBehalfOf(named, context, async () => previewTool(await toolOf(tool.name), family.deps)(params, context)),
      call: (params, context) =>
        onBehalfOf(named, context, async () => callTool(await toolOf(tool.name), family.deps)(params, context)),
    });
  }
  return sourceOf(family, () => listed.map(entryOf));
}
