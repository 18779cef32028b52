import type { Rule } from '../../rule.ts';

/** Problems found while reading the input: not JSON, a list, a cycle, too deep, too large. */
export const notAWorkflow: Rule = {
  id: 'not-a-workflow',
  group: 'structure',
  title: 'The input is a workflow in plain JSON, small enough to check.',
  severity: 'error',
  check({ problems }, report) {
    for (const problem of problems) report(problem);
  },
};
