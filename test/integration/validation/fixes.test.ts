/** What `n8n_fix_workflow` and `sluice validate --fix` do with the whole corpus. */
import { describe, expect, test } from 'vitest';
import { applyPatch } from '../../../src/validation/fixes/apply-fix.ts';
import type { Finding } from '../../../src/validation/finding.ts';
import { fixWorkflow, isSafelyFixable } from '../../../src/validation/fixes/fix-workflow.ts';
import { patchedText } from '../../../src/validation/json/json-text-edit.ts';
import { readWorkflow } from '../../../src/validation/subject/read-workflow.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { corpus } from '../../validation/corpus.ts';

describe.skipIf(catalogueIsMissing)('safe fixes', async () => {
  const cases = catalogueIsMissing ? [] : (await corpus()).flatMap(({ cases: some }) => some);
  const optionsOf = ({ purpose, world, groups }: (typeof cases)[number]) => ({ purpose, world, only: groups });

  const said = ({ rule, path, message }: Finding) => `${rule} ${path} ${message}`;

  test('do not change valid workflows', () => {
    for (const one of cases.filter(({ expected }) => expected.length === 0)) {
      const { applied, document } = fixWorkflow(one.workflow, testCatalogue(), optionsOf(one));
      expect(applied).toEqual([]);
      expect(document).toBe(one.workflow);
    }
  });

  test('remove their findings, add no errors, and leave no safe fix to apply', () => {
    const broken = cases.filter(({ expected }) => expected.length > 0);
    const fixed = broken.map((one) => ({ one, ...fixWorkflow(one.workflow, testCatalogue(), optionsOf(one)) }));
    expect(fixed.filter(({ applied }) => applied.length > 0).length).toBeGreaterThan(10);
    for (const { one, before, after, applied } of fixed) {
      expect([one.name, after.counts.error <= before.counts.error]).toEqual([one.name, true]);
      expect([one.name, after.findings.filter(isSafelyFixable)]).toEqual([one.name, []]);
      // A fix may uncover other findings.
      const left = new Set(after.findings.map(said));
      expect([one.name, applied.filter((finding) => left.has(said(finding)))]).toEqual([one.name, []]);
    }
  });

  test('give the same result in the text of a file as in the object', () => {
    for (const one of cases) {
      const reading = readWorkflow(one.workflow);
      if (!reading.workflow || reading.problems.length > 0) continue;
      const { before } = fixWorkflow(one.workflow, testCatalogue(), optionsOf(one));
      for (const { fix } of before.findings) {
        if (!fix) continue;
        const object = structuredClone(reading.workflow);
        expect([one.name, applyPatch(object, fix.patch)]).toEqual([one.name, true]);
        for (const indent of [undefined, 2, '\t']) {
          const text = patchedText(JSON.stringify(reading.workflow, null, indent), fix.patch);
          expect([one.name, JSON.parse(text ?? 'null')]).toEqual([one.name, object]);
        }
      }
    }
  });
});
