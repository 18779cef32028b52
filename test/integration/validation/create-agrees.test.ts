import { beforeAll, describe, expect, it } from 'vitest';
import { readWorkflow } from '../../../src/validation/subject/read-workflow.ts';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { testCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { corpus } from '../../validation/corpus.ts';
import { valid } from '../../validation/rehearsal/valid.ts';
import { type Reached, reachN8n } from '../../support/workbench.ts';
import { creations } from '../../support/n8n-answers.ts';

/** Input that cannot be read is not sent to n8n. */
const cases = (await corpus()).flatMap(({ file, cases }) =>
  cases.flatMap((one) => {
    const { workflow, problems } = readWorkflow(one.workflow);
    return workflow && problems.length === 0 ? [{ file, label: `${file}: ${one.name}`, ...one, workflow }] : [];
  }),
);

describe.skipIf(n8nIsMissing)('the real n8n at create', () => {
  let n8n: Reached;

  beforeAll(async () => {
    n8n = await reachN8n();
  }, N8N_START_MS);

  it('accepts every workflow without findings', { timeout: 120_000 }, async () => {
    const sound = [
      ...cases.filter(({ expected }) => expected.length === 0),
      ...valid.map(({ name, workflow }) => ({ label: `rehearsal: ${name}`, workflow })),
    ];
    const answers = await creations(
      n8n,
      sound.map(({ workflow }) => workflow),
    );
    const refused = sound.flatMap(({ label }, index) => {
      const { status, message } = answers[index] ?? {};
      return status === 200 ? [] : [`${label}: ${status} ${message}`];
    });
    expect(refused).toEqual([]);
    expect(sound.length).toBeGreaterThan(25);
  });

  it('accepts every workflow without errors under save', { timeout: 120_000 }, async () => {
    const saveable = cases.filter(
      ({ file, expected, workflow, world }) =>
        // n8n does not check parameters on create.
        expected.length > 0 &&
        !/^(parameters|expressions|credentials|lint|suggestions)\//.test(file) &&
        validateWorkflow(workflow, testCatalogue(), { purpose: 'save', world }).valid,
    );
    const answers = await creations(
      n8n,
      saveable.map(({ workflow }) => workflow),
    );
    const missed = saveable.flatMap(({ label }, index) => {
      const { status, message } = answers[index] ?? {};
      return status === 200 ? [] : [`${label}: ${status} ${message}`];
    });
    expect(missed).toEqual([]);
    expect(saveable.length).toBeGreaterThan(25);
  });
});
