import { broken, type Case, valid } from '../../case.ts';
import { flow, node } from '../../case.ts';
import { alone } from '../../one-node.ts';

const called = (parameters: Record<string, unknown>) =>
  flow([node('Called', 'executeWorkflowTrigger', 1.1, parameters), node('Next', 'noOp', 1)], ['Called -> Next']);
const path = '/nodes/0/parameters/workflowInputs';

export const cases: Case[] = [
  valid('an input of a called workflow', called({ workflowInputs: { values: [{ name: 'a' }] } })),
  valid('no list if everything is passed on', called({ inputSource: 'passthrough' })),
  broken('no input', called({}), [{ rule: 'field-count', path, severity: 'error', says: 'at least 1' }], alone),
  broken(
    'no input, to save it',
    called({ workflowInputs: { values: [] } }),
    [{ rule: 'field-count', path, severity: 'warning' }],
    {
      ...alone,
      purpose: 'save',
    },
  ),
];
