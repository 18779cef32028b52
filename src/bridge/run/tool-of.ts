import { argumentCheck } from '../../kernel/argument-check.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Kept } from './kept.ts';
import type { RunTool } from './run-tool.ts';
import { needsRunner, toolCallOf } from './runnable.ts';
import type { Runner } from '../../n8n/running/runner/align-runner.ts';

/** A workflow as a tool; undefined while its name or runner is missing. */
export function toolOf(
  instance: string,
  workflow: Kept,
  { key, name }: { readonly key: string; readonly name: string | undefined },
  runner: () => Runner | undefined,
): RunTool | undefined {
  const now = needsRunner(workflow) ? runner() : undefined;
  if (name === undefined || (needsRunner(workflow) && !now)) return undefined;
  const call = toolCallOf(workflow, () => {
    const then = runner();
    if (then) return then;
    throw new AppError(
      'unavailable',
      `${name} was not run: its runner is missing in n8n. \`sluice bridge apply\` creates it.`,
    );
  });
  if ('reason' in call) return undefined;
  return {
    name,
    key,
    instance,
    workflow: { id: workflow.id, name: workflow.name },
    call,
    check: argumentCheck(call.schema),
    ...(now && { runner: now.workflow }),
  };
}
