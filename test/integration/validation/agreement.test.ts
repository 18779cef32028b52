import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { testCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing, startN8n } from '../../support/n8n.ts';
import { agreement, agreementTable, type AgreementRow, DRAFT } from '../../validation/agreement.ts';
import { flow, node } from '../../validation/case.ts';
import { ask, creations, publications, runs } from '../../support/n8n-answers.ts';

const DRAFT_WORKFLOW = flow([node('In', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' })]);

interface Nodes {
  readonly nodes: readonly { readonly name: string }[];
}

function verdictOf({ workflow, gate, world }: AgreementRow): AgreementRow['ours'] {
  const { counts } = validateWorkflow(workflow, testCatalogue(), {
    purpose: gate,
    world,
    // Matters of taste have nothing to do with n8n.
    rules: { lint: 'off', suggestions: 'off' },
  });
  return counts.error > 0 ? 'error' : counts.warning > 0 ? 'warning' : 'nothing';
}

describe('the table in the documentation', () => {
  it('consists of the rows that are tested here', () => {
    const page = readFileSync(new URL('../../../docs/validation.md', import.meta.url), 'utf8');
    expect(page).toContain(agreementTable());
  });
});

describe.skipIf(n8nIsMissing)('n8n and the validator', () => {
  const found = new Map<AgreementRow, { n8n: 'takes' | 'refuses'; why: string | undefined }>();

  beforeAll(async () => {
    const n8n = await startN8n();
    const at = (gate: AgreementRow['gate']) => agreement.filter((row) => row.gate === gate);
    const { body: draft } = await ask(n8n, 'POST', '/workflows', DRAFT_WORKFLOW);
    const workflows = (rows: readonly AgreementRow[]) =>
      rows.map(({ workflow }) => JSON.parse(JSON.stringify(workflow).replaceAll(DRAFT, draft.id ?? '')) as unknown);
    const [created, published] = [
      await creations(n8n, workflows(at('save'))),
      await publications(n8n, workflows(at('publish'))),
    ];
    const ran = await runs(
      n8n,
      workflows(at('run')).map((workflow) => ({ workflow, from: 'Start' })),
    );
    await ask(n8n, 'DELETE', `/workflows/${draft.id}`);
    for (const [index, row] of at('save').entries()) {
      const { status, message } = created[index] ?? {};
      found.set(row, { n8n: status === 200 ? 'takes' : 'refuses', why: message });
    }
    for (const [index, row] of at('publish').entries()) {
      const { status, message } = published[index] ?? {};
      found.set(row, { n8n: status === 200 ? 'takes' : 'refuses', why: message });
    }
    for (const [index, row] of at('run').entries()) {
      const { failure, executed } = ran[index] ?? { failure: 'n8n does not create it', executed: new Set() };
      const missing = (row.workflow as Nodes).nodes.find(({ name }) => !executed.has(name));
      const why = failure ?? (missing && `${missing.name} did not run`);
      found.set(row, { n8n: why === undefined ? 'takes' : 'refuses', why });
    }
  }, N8N_START_MS + 60_000);

  it.each(agreement)('$gate: $what: n8n $n8n, here $ours', (row) => {
    const { n8n, why } = found.get(row) ?? {};
    expect({ n8n, why }).toEqual({
      n8n: row.n8n === 'refuses' ? 'refuses' : 'takes',
      why: row.n8n === 'refuses' ? expect.any(String) : undefined,
    });
    expect(verdictOf(row)).toBe(row.ours);
  });

  it('agree on what n8n refuses', () => {
    expect(agreement.filter(({ n8n, ours }) => n8n === 'refuses' && ours !== 'error')).toEqual([]);
  });

  it('agree on what runs, except if n8n silently does something else', () => {
    expect(agreement.filter(({ gate, n8n, ours }) => gate === 'run' && n8n === 'takes' && ours === 'error')).toEqual(
      [],
    );
  });
});
