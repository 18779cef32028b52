import { onBehalfOf } from '../../kernel/caller.ts';
import { hints } from '../../kernel/effect.ts';
import { globMatcher } from '../../kernel/glob.ts';
import { meantBy } from '../../kernel/meant.ts';
import { scopeFor } from '../../kernel/principal.ts';
import type { Entry } from '../../kernel/source.ts';
import type { N8nClient } from '../../n8n/client/client.ts';
import type { BridgeSettings } from '../settings.ts';
import { describeRun } from './description.ts';
import type { Kept } from './kept.ts';
import type { Learning } from './learning.ts';
import type { Nesting } from '../loops/nesting.ts';
import type { RunTool } from './run-tool.ts';
import { run } from './run.ts';

/** The source of all tools that run workflows, for scopes and limits. */
export const SOURCE = 'run';

export interface EntryDeps {
  client(instance: string): N8nClient;
  settings(instance: string): Pick<BridgeSettings, 'workflows' | 'timeout' | 'timeouts'>;
  readonly nesting: Nesting;
  readonly learning: Learning;
  lookAgain(tool: RunTool): void;
  background(work: Promise<unknown>): void;
  /** The list of tools changed. */
  changed(): void;
}

export function entryOf(tool: RunTool, workflow: Kept, deps: EntryDeps): Entry {
  const infers = deps.settings(tool.instance).workflows.outputSchema === 'infer';
  const outputSchema = infers ? deps.learning.schemaOf(tool.key) : undefined;
  return {
    tool: tool.name,
    effect: 'execute',
    scope: scopeFor(SOURCE, 'execute'),
    category: 'workflow',
    tags: ['n8n', 'workflow', ...workflow.tags],
    wire: {
      name: tool.name,
      title: workflow.name,
      description: workflow.trigger ? describeRun(workflow, workflow.trigger) : workflow.name,
      inputSchema: tool.call.schema,
      ...(outputSchema && { outputSchema }),
      annotations: { title: workflow.name, ...hints.execute },
    },
    meant: meantBy(tool.call.schema),
    async call(params, context) {
      const outcome = await onBehalfOf({ source: SOURCE, tool: tool.name }, context, () =>
        run(tool, params, context, {
          client: deps.client(tool.instance),
          nesting: deps.nesting,
          timeoutMs: timeoutOf(tool.name, deps.settings(tool.instance)),
          lookAgain: () => deps.lookAgain(tool),
          background: deps.background,
        }),
      );
      if (!infers) return outcome;
      return deps.learning.from(tool.key, outcome, outputSchema, (stored) =>
        deps.background(stored.then(deps.changed)),
      );
    },
  };
}

function timeoutOf(name: string, { timeout, timeouts }: Pick<BridgeSettings, 'timeout' | 'timeouts'>): number {
  const own = Object.entries(timeouts).find(([glob]) => globMatcher([glob])(name));
  return own ? own[1] : timeout;
}
