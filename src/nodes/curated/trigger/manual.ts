import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.manualTrigger';

export const manualTrigger: CuratedSpec = {
  type: 'TRIGGER',
  subtype: 'MANUAL',
  nodes: [NODE],
  names: true,
  description: 'Starts the workflow when somebody clicks the button in the editor. For testing.',
  configurations: {},
  inputParams: {},
  outputParams: {},
  inputPorts: [],
  outputPorts: [itemsOut('Start', 'One empty item')],
  tags: ['trigger', 'manual', 'test', 'button'],
  examples: [
    {
      name: 'Test a workflow by hand',
      description: 'Use it next to the real trigger while you build a workflow.',
      configurations: {},
      output: {},
    },
  ],
  guidance:
    'A workflow with only this trigger cannot be published, because nothing would start it. Add a schedule or a webhook for production. To test the other nodes with real input, pin data on it.',
  fragment: (catalogue) => ({ nodes: [fragmentNode(catalogue, NODE, { name: 'Start' })], connections: {} }),
};
