import { describe, expect, it } from 'vitest';
import type { Node } from '../client/shapes.ts';
import { placesIn } from './places.ts';
import { rewritten } from './rewritten.ts';

const node = (name: string, type: string, more: Partial<Node> = {}): Node => ({
  name,
  type,
  parameters: {},
  ...more,
});

const workflow = {
  name: 'Orders',
  nodes: [
    node('Post', 'n8n-nodes-base.slack', {
      credentials: { slackApi: { id: 'c1', name: 'Bot' } },
      parameters: { text: '={{ $vars.greeting }} {{ $vars["team"] }} {{ $vars.greeting }}' },
    }),
    node('Call', 'n8n-nodes-base.executeWorkflow', {
      parameters: {
        workflowId: {
          __rl: true,
          mode: 'list',
          value: 'w2',
          cachedResultName: 'Invoices',
          cachedResultUrl: '/workflow/w2',
        },
      },
    }),
    node('Old call', 'n8n-nodes-base.executeWorkflow', { parameters: { workflowId: 'w3' } }),
    node('Chosen call', 'n8n-nodes-base.executeWorkflow', { parameters: { workflowId: '={{ $json.id }}' } }),
    node('Rows', 'n8n-nodes-base.dataTable', {
      parameters: { dataTableId: { __rl: true, mode: 'name', value: 'customers' } },
    }),
  ],
  connections: {},
  settings: { errorWorkflow: 'w9', callerIds: 'w4, w5', timezone: 'Europe/Berlin' },
};

describe('references of a workflow', () => {
  it('finds everything outside of the workflow that it names', () => {
    expect(placesIn(workflow)).toEqual([
      { kind: 'error workflow', id: 'w9', where: 'settings.errorWorkflow' },
      { kind: 'caller', id: 'w4', where: 'settings.callerIds' },
      { kind: 'caller', id: 'w5', where: 'settings.callerIds' },
      { kind: 'credential', type: 'slackApi', id: 'c1', name: 'Bot', node: 'Post', where: 'credentials.slackApi' },
      { kind: 'variable', name: 'greeting', node: 'Post', where: 'parameters.text' },
      { kind: 'variable', name: 'team', node: 'Post', where: 'parameters.text' },
      { kind: 'sub-workflow', id: 'w2', name: 'Invoices', node: 'Call', where: 'parameters.workflowId' },
      { kind: 'sub-workflow', id: 'w3', node: 'Old call', where: 'parameters.workflowId' },
      {
        kind: 'dynamic',
        of: 'sub-workflow',
        expression: '={{ $json.id }}',
        node: 'Chosen call',
        where: 'parameters.workflowId',
      },
      { kind: 'data table', name: 'customers', node: 'Rows', where: 'parameters.dataTableId' },
    ]);
  });

  it('points them elsewhere and leaves everything else alone', () => {
    const next = rewritten(workflow, (place) => {
      const key = place.id ?? place.name;
      return key === 'w5' ? 'none' : { id: `new-${key}`, name: `New ${place.name ?? key}` };
    });
    expect(next.nodes[0]?.credentials).toEqual({ slackApi: { id: 'new-c1', name: 'New Bot' } });
    expect(next.nodes[1]?.parameters).toEqual({
      workflowId: { __rl: true, mode: 'list', value: 'new-w2', cachedResultName: 'New Invoices' },
    });
    expect(next.nodes[2]?.parameters).toEqual({ workflowId: 'new-w3' });
    expect(next.nodes[3]).toEqual(workflow.nodes[3]);
    expect(next.nodes[4]?.parameters).toEqual({
      dataTableId: { __rl: true, mode: 'name', value: 'New customers' },
    });
    expect(next.settings).toEqual({ errorWorkflow: 'new-w9', callerIds: 'new-w4', timezone: 'Europe/Berlin' });
    expect(workflow.settings.errorWorkflow).toBe('w9');
  });

  it('keeps what has no target, and clears what points at nothing', () => {
    expect(rewritten(workflow, () => undefined)).toEqual({
      ...workflow,
      settings: { ...workflow.settings, callerIds: 'w4,w5' },
    });
    const none = rewritten(workflow, () => 'none');
    expect(none.nodes[0]?.credentials).toEqual({ slackApi: { id: null, name: 'Bot' } });
    expect(none.nodes[2]?.parameters).toEqual({ workflowId: '' });
    expect(none.settings).toMatchObject({ errorWorkflow: 'DEFAULT', callerIds: '' });
  });
});
