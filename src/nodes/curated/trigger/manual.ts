import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.manualTrigger';

export const manualTrigger: CuratedSpec = {
  type: 'TRIGGER',
  subtype: 'MANUAL',
  nodes: [NODE],
  names: true,
  description: 'Starts the workflow when somebody presses the button in the editor. For trying things out.',
  configurations: {},
  inputParams: {},
  outputParams: {},
  inputPorts: [],
  outputPorts: [itemsOut('Start', 'One empty item')],
  tags: ['trigger', 'manual', 'test', 'button'],
  examples: [
    {
      name: 'Try a workflow by hand',
      description: 'Stands beside the real trigger while a workflow is built.',
      configurations: {},
      output: {},
    },
  ],
  guidance:
    'A workflow whose only trigger is this one cannot be published: n8n has nothing to wait for. Add a schedule or a webhook for production. Pin data on it to try the rest with real input.',
  fragment: (catalogue) => ({ nodes: [fragmentNode(catalogue, NODE, { name: 'Start' })], connections: {} }),
};
