import { expect, it } from 'vitest';
import { flow, node } from '../../../../test/validation/case.ts';
import { tinyCatalogue } from '../../../../test/validation/tiny-catalogue.ts';
import { purposes } from '../../finding.ts';
import { validateWorkflow } from '../../validate.ts';
import { unknownWorkflowSetting } from './unknown-workflow-setting.ts';

it('reports an unknown setting only when the workflow is to be saved', () => {
  const workflow = flow([node('T', 'tiny.trigger', 1)], [], { settings: { holographicMode: true } });
  const counts = purposes.map(
    (purpose) => validateWorkflow(workflow, tinyCatalogue(), { purpose }, [unknownWorkflowSetting]).findings.length,
  );
  expect(counts).toEqual([1, 0, 0]);
});
