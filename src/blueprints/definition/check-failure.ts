import { someOf } from '../../kernel/some-of.ts';
import type { Report } from './report.ts';
import type { Definition, Step } from './shape.ts';
import type { World } from './world.ts';

const MOST_NAMED = 5;

/** What may surprise when a step fails. */
export function checkFailure({ steps, onFailure }: Definition, world: World, report: Report): void {
  // Only waiting for a time cannot fail.
  const lastRisk = steps.findLastIndex(({ work }) => work.kind !== 'wait');
  const left = steps.flatMap((step, index) => (index < lastRisk && !step.undo && changes(step, world) ? [index] : []));
  const [first] = left;
  if (onFailure === 'undo' && first !== undefined) {
    const names = someOf(
      left.map((index) => steps[index]?.id ?? ''),
      MOST_NAMED,
    );
    report.warning(
      ['steps', first],
      `stays as it is when a later step fails, because it has no undo (${names})`,
      'Add an undo, or write on_failure: keep.',
    );
  }
  for (const [index, { work, retry, idempotent }] of steps.entries()) {
    if (!retry || idempotent !== undefined || work.kind !== 'tool') continue;
    const tool = world.tool(work.tool);
    if (tool && !tool.reads && !tool.idempotent)
      report.warning(
        ['steps', index, 'retry'],
        `repeats ${tool.name}, which may then do its work twice`,
        'Write idempotent: true if that does no harm, otherwise idempotent: false.',
      );
  }
}

function changes({ work }: Step, world: World): boolean {
  if (work.kind === 'tool') return world.tool(work.tool)?.reads !== true;
  if (work.kind === 'webhook') return work.method !== 'GET';
  return work.kind === 'workflow';
}
