import type { Rule } from '../../rule.ts';

/** What the reading itself found: not JSON, a list, circles, depths, sizes. */
export const notAWorkflow: Rule = {
  id: 'not-a-workflow',
  group: 'structure',
  title: 'What is given is a workflow in plain JSON, of a size that can be checked.',
  severity: 'error',
  check({ problems }, report) {
    for (const problem of problems) report(problem);
  },
};
