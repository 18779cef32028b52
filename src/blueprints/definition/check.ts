import { checkCalls } from './check-calls.ts';
import { checkExpressions } from './check-expressions.ts';
import { checkFailure } from './check-failure.ts';
import { checkInputSchemas } from './check-inputs.ts';
import { checkLiterals } from './check-literals.ts';
import { checkN8n } from './check-n8n.ts';
import { checkSchedule } from './check-schedule.ts';
import { checkTools } from './check-tools.ts';
import { checkWebhooks } from './check-webhooks.ts';
import type { Finding, Position } from './finding.ts';
import { createReport } from './report.ts';
import { type Definition, MOST_ITEMS } from './shape.ts';
import type { World } from './world.ts';

/** What is wrong with a definition in this world. Lines are added by `placed`. */
export function checkDefinition(definition: Definition, world: World): readonly Finding[] {
  const report = createReport();
  checkInputSchemas(definition, report);
  checkLiterals(definition, report);
  for (const [index, { forEach }] of definition.steps.entries())
    if (Array.isArray(forEach) && forEach.length > MOST_ITEMS)
      report.error(
        ['steps', index, 'for_each'],
        `has ${forEach.length} items, but may have ${MOST_ITEMS}`,
        'Split it over several steps.',
      );
  if (!checkExpressions(definition, report)) return report.findings;
  checkTools(definition, world, report);
  checkWebhooks(definition, report);
  checkN8n(definition, world, report);
  checkCalls(definition, world, report);
  checkSchedule(definition, report);
  checkFailure(definition, world, report);
  return report.findings;
}

/** The same findings with the lines of the text that was read, in its order. */
export function placed(
  findings: readonly Finding[],
  place: (path: string) => Position | undefined,
): readonly Finding[] {
  return findings
    .map((finding) => ({ ...finding, ...place(finding.path) }))
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
