import { beforeAll, describe, expect, it } from 'vitest';
import { readWorkflow } from '../../../src/validation/subject/read-workflow.ts';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { testCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { corpus } from '../../validation/corpus.ts';
import { type Reached, reachN8n } from '../../support/workbench.ts';
import { type Answer, publications } from '../../support/n8n-answers.ts';

interface Published {
  readonly label: string;
  readonly workflow: unknown;
  readonly isSound: boolean;
  readonly answer?: Answer | undefined;
}

/** Cases in which n8n checks more than one node: triggers and paths. Each takes half a second. */
const cases: Published[] = (await corpus()).flatMap(({ file, cases: all }) =>
  all.flatMap(({ name, workflow: given, expected, purpose }, index) => {
    // The workflows that these call do not exist here. agreement.test.ts tests with existing ones.
    if (file === 'parameters/sub-workflows') return [];
    const isAtStake = purpose === 'publish' || file === 'webhooks/paths' || / triggers?\b/.test(name);
    const { workflow } = readWorkflow(given);
    if (!workflow || !isAtStake) return [];
    const prefix = `${file}-${index}`.replaceAll('/', '-');
    const isSound = expected.length === 0 && purpose === 'publish';
    return [{ label: `${file}: ${name}`, workflow: apart(workflow, prefix), isSound }];
  }),
);

/** Gives each workflow its own paths, because many are published at the same time. */
function apart(workflow: Readonly<Record<string, unknown>>, prefix: string): unknown {
  const text = JSON.stringify(workflow);
  return JSON.parse(text.replaceAll('corpus-', `${prefix}-`)) as unknown;
}

describe.skipIf(n8nIsMissing)('the real n8n at publish', () => {
  let published: Published[];

  beforeAll(async () => {
    const n8n: Reached = await reachN8n();
    const answers = await publications(
      n8n,
      cases.map(({ workflow }) => workflow),
    );
    published = cases.map((one, index) => ({ ...one, answer: answers[index] }));
  }, N8N_START_MS + 60_000);

  it('accepts every workflow without findings', () => {
    const refused = published.filter(({ isSound, answer }) => isSound && answer?.status !== 200);
    expect(refused.map(({ label, answer }) => `${label}: ${answer?.status} ${answer?.message}`)).toEqual([]);
    expect(published.filter(({ isSound }) => isSound).length).toBeGreaterThan(10);
  });

  it('accepts every workflow without errors', () => {
    const refused = published.filter(({ answer }) => answer !== undefined && answer.status !== 200);
    const missed = refused.filter(
      ({ workflow }) => validateWorkflow(workflow, testCatalogue(), { purpose: 'publish' }).valid,
    );
    expect(missed.map(({ label, answer }) => `${label}: ${answer?.status} ${answer?.message}`)).toEqual([]);
    expect(refused.length).toBeGreaterThan(10);
  });
});
