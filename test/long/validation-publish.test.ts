import { beforeAll, describe, expect, it } from 'vitest';
import { readWorkflow } from '../../src/validation/subject/read-workflow.ts';
import { validateWorkflow } from '../../src/validation/validate.ts';
import { testCatalogue } from '../support/catalogue.ts';
import { publications } from '../support/n8n-answers.ts';
import { type Reached, reachN8n } from '../support/workbench.ts';
import { N8N_START_MS, n8nIsMissing } from '../support/n8n.ts';
import { corpus } from '../validation/corpus.ts';

// They take half a second each: too many for every test run.
describe.skipIf(n8nIsMissing)('the real n8n at publish', () => {
  let n8n: Reached;

  beforeAll(async () => {
    n8n = await reachN8n();
  }, N8N_START_MS);

  it('publishes every workflow of the corpus for which the validator finds no error under publish', async () => {
    // It has the nodes of n8n's packages, and no community nodes.
    const known = testCatalogue();
    const catalogue = { ...known, origin: { ...known.origin, from: 'instance' as const } };
    const publishable = (await corpus()).flatMap(({ file, cases }) =>
      cases.flatMap(({ name, world, workflow: given }) => {
        const { valid } = validateWorkflow(given, catalogue, { purpose: 'publish', world });
        const { workflow } = readWorkflow(given);
        return valid && workflow ? [{ label: `${file}: ${name}`, workflow }] : [];
      }),
    );
    const answers = await publications(
      n8n,
      publishable.map(({ workflow }) => workflow),
    );
    const missed = publishable.flatMap(({ label }, index) => {
      const { status, message } = answers[index] ?? { status: 200 };
      // Another case uses the same path at the same time.
      return status === 200 || status === 409 ? [] : [`${label}: ${status} ${message}`];
    });
    expect(missed).toEqual([]);
    expect(answers.filter((answer) => answer?.status === 200).length).toBeGreaterThan(20);
  });
});
