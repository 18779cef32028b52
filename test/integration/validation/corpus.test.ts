import { describe, expect, it } from 'vitest';
import { applyFix } from '../../../src/validation/fixes/apply-fix.ts';
import { rules } from '../../../src/validation/rules/index.ts';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import type { Case } from '../../validation/case.ts';
import { corpus } from '../../validation/corpus.ts';

const files = await corpus();

function findingsOf({ workflow, purpose, world, groups }: Case, given: unknown = workflow) {
  return validateWorkflow(given, testCatalogue(), { purpose, world, only: groups }).findings;
}

describe.skipIf(catalogueIsMissing)('the corpus', () => {
  describe.each(files)('$file', ({ cases }) => {
    it.each(cases)('$name', (one) => {
      const findings = findingsOf(one);
      const said = findings.map(({ rule, path, severity, message }) => ({ rule, path, severity, message }));
      expect(said).toEqual(
        one.expected.map(({ rule, path, severity, says }) => ({
          rule,
          path,
          severity: severity ?? expect.any(String),
          message: says === undefined ? expect.any(String) : expect.stringContaining(says),
        })),
      );
      for (const finding of findings) {
        if (!finding.fix) continue;
        const fixed = applyFix(one.workflow, finding.fix);
        expect(fixed, `the fix "${finding.fix.description}" fits`).toBeDefined();
        const left = findingsOf(one, fixed).map(({ rule, path }) => `${rule} ${path}`);
        expect(left, `"${finding.fix.description}" helps`).not.toContain(`${finding.rule} ${finding.path}`);
        const wanted = one.expected.find(({ rule, path }) => rule === finding.rule && path === finding.path)?.fixed;
        if (wanted !== undefined) expect(fixed).toEqual(wanted);
      }
      for (const { rule, path, fixed } of one.expected) {
        if (fixed === undefined) continue;
        const finding = findings.find((found) => found.rule === rule && found.path === path);
        expect(finding?.fix !== undefined, `${rule} at ${path} has a fix`).toBe(fixed !== null);
      }
    });
  });

  const sound = files.flatMap(({ file, cases }) =>
    cases.filter(({ expected }) => expected.length === 0).map((one) => ({ ...one, file })),
  );

  it.each(sound)('gives no unexpected warning about $file: $name', ({ workflow, purpose, world, warnings }) => {
    const { findings } = validateWorkflow(workflow, testCatalogue(), { purpose, world });
    const loud = findings.filter(({ severity }) => severity !== 'info').map(({ rule }) => rule);
    expect([...new Set(loud)].sort()).toEqual([...warnings].sort());
  });

  it('has a case for every rule', () => {
    const expected = new Set(
      files.flatMap(({ cases }) => cases.flatMap((one) => one.expected.map(({ rule }) => rule))),
    );
    expect(rules.map(({ id }) => id).filter((id) => !expected.has(id))).toEqual([]);
  });

  it('has a unique id for each rule', () => {
    const ids = rules.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});
