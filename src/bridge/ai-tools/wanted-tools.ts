import { globMatcher } from '../../kernel/glob.ts';
import type { FoundTool } from './ai-tools.ts';
import type { Found } from '../discover.ts';
import { type Names, toolKey } from './endpoint-names.ts';
import type { Wanted } from './generate/align-source.ts';
import { loopIn } from './loop.ts';
import type { BridgeSettings } from '../settings.ts';

/** Whether an AI tool is bridged, and why not. */
export interface ToolVerdict {
  readonly tool: FoundTool;
  readonly name: string;
  /** Why it is left out; undefined if it is bridged. */
  readonly reason?: string;
  /** The configuration excludes it; it could be bridged. */
  readonly excluded?: true;
}

/** The AI tools that a workflow has as bridged tools, or would have. */
export interface SourceVerdict {
  readonly found: Found;
  readonly slug: string;
  /** Why they are chosen; undefined if they are not. */
  readonly chosen?: string;
  readonly tools: readonly ToolVerdict[];
}

/** Judges every AI tool of a workflow. */
export function judgeTools(
  found: Found,
  options: { slug: string; nameOf(tool: FoundTool): string; settings: BridgeSettings; ownUrls: readonly string[] },
): ToolVerdict[] {
  const { include, exclude } = options.settings.tools;
  return found.aiTools.map((tool) => {
    const name = options.nameOf(tool);
    const names = [name, tool.node.name, `${options.slug}__${name}`];
    const reason = tool.reason ?? loopReason(tool, options.ownUrls);
    if (reason !== undefined) return { tool, name, reason };
    // The tools of another server are filtered later, when their names are known.
    const isIncluded = include.length === 0 || tool.isToolkit || names.some(globMatcher(include));
    if (isIncluded && !names.some(globMatcher(exclude))) return { tool, name };
    return { tool, name, reason: 'bridge.tools excludes it.', excluded: true };
  });
}

function loopReason(tool: FoundTool, ownUrls: readonly string[]): string | undefined {
  const node = loopIn(tool, ownUrls);
  return node && `"${node.name}" lists the tools of this gateway, so they would be listed again and again.`;
}

/** The tools of a workflow that get an endpoint. */
export function wantedOf(instance: string, found: Found, verdicts: readonly ToolVerdict[], names: Names): Wanted {
  const tools = verdicts
    .filter(({ reason }) => reason === undefined)
    .map(({ tool }) => {
      const key = toolKey(tool.node);
      return { key, name: names.tool(instance, found.id, key) ?? tool.node.name, found: tool };
    });
  return { found, tools };
}
