import type { Connections, Credential, Node } from '../client/shapes.ts';
import type { WorkflowBody } from '../client/workflows.ts';

const NOTE =
  'Made by Sluice, to run workflows that begin with "When Executed by Another Workflow". It may be deleted: it is made again when it is asked for.';

/** Takes { workflowId, inputs }, calls that workflow and answers with what it gave out, or with why it failed. */
export function runnerWorkflow(name: string, path: string, credential: Credential): WorkflowBody {
  const nodes: Node[] = [
    node('Call', 'webhook', 2, 0, 0, {
      path,
      httpMethod: 'POST',
      responseMode: 'responseNode',
      authentication: 'headerAuth',
      options: {},
    }),
    node('Inputs', 'set', 3.4, 220, 0, {
      mode: 'raw',
      jsonOutput: '={{ JSON.stringify($json.body.inputs ?? {}) }}',
      options: {},
    }),
    {
      ...node('Run', 'executeWorkflow', 1.1, 440, 0, {
        source: 'database',
        workflowId: { __rl: true, mode: 'id', value: "={{ $('Call').first().json.body.workflowId }}" },
        options: { waitForSubWorkflow: true },
      }),
      onError: 'continueErrorOutput',
    },
    node('Done', 'respondToWebhook', 1.1, 660, -100, { respondWith: 'allIncomingItems', options: {} }),
    node('Failed', 'respondToWebhook', 1.1, 660, 100, {
      respondWith: 'json',
      responseBody: '={{ JSON.stringify({ error: $json.error ?? $json }) }}',
      options: { responseCode: 500 },
    }),
    node('About', 'stickyNote', 1, -40, -260, { content: NOTE, width: 480, height: 120 }),
  ];
  const call = nodes[0] as Node;
  call.webhookId = crypto.randomUUID();
  call.credentials = { httpHeaderAuth: { id: credential.id, name: credential.name } };
  const to = (target: string) => [{ node: target, type: 'main', index: 0 }];
  const connections: Connections = {
    Call: { main: [to('Inputs')] },
    Inputs: { main: [to('Run')] },
    Run: { main: [to('Done'), to('Failed')] },
  };
  // What it ran is told by its own execution, so that one is kept.
  return { name, nodes, connections, settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all' } };
}

function node(
  name: string,
  type: string,
  typeVersion: number,
  x: number,
  y: number,
  parameters: Record<string, unknown>,
): Node {
  return { id: crypto.randomUUID(), name, type: `n8n-nodes-base.${type}`, typeVersion, position: [x, y], parameters };
}
