import { describe, expect, it } from 'vitest';
import { readWorkflow } from '../../../src/validation/subject/read-workflow.ts';
import { rules } from '../../../src/validation/rules/index.ts';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { corpus } from '../../validation/corpus.ts';
import { everyMutation, type Sound } from '../../validation/mutation.ts';

const mutations = await everyMutation();
const sound = (await corpus()).flatMap(({ file, cases }) =>
  cases
    .filter(({ expected }) => expected.length === 0)
    .map(({ workflow, ...one }) => ({ ...one, file, workflow: readWorkflow(workflow).workflow as Sound })),
);

describe.skipIf(catalogueIsMissing)('every valid workflow', () => {
  it.each(mutations)('has a finding with $name', ({ rule, break: breakIt }) => {
    // Other rules do not matter here and would take half a minute.
    const only = rules.filter(({ id }) => id === rule).map(({ group }) => group);
    const missed: string[] = [];
    let broken = 0;
    for (const { file, name, workflow, world } of sound) {
      for (const mutant of breakIt(workflow)) {
        broken++;
        const { findings } = validateWorkflow(mutant.workflow, testCatalogue(), { world, only });
        const isCaught = findings.some((finding) => finding.rule === rule && finding.path === mutant.path);
        if (!isCaught) missed.push(`${file}: ${name} at ${mutant.path}`);
      }
    }
    expect(missed).toEqual([]);
    expect(broken).toBeGreaterThan(0);
  });
});
