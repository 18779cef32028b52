import { createHash } from 'node:crypto';
import type { Connections, Credential, Node } from '../../client/shapes.ts';
import type { WorkflowBody } from '../../client/workflows.ts';
import { GENERATED_PREFIX, type Mark, markNote } from '../../generated.ts';

export const RUNNER = 'runner';
const NAME = `${GENERATED_PREFIX}runner`;
const ABOUT =
  'Made by Sluice, to run workflows that begin with "When Executed by Another Workflow" for you. `sluice bridge remove` deletes it.';

/** Headers of the runner's answer: the execution of the workflow it called, and whether the items carry files. */
export const EXECUTION_HEADER = 'x-sluice-execution';
export const FILES_HEADER = 'x-sluice-files';

// Only items with files take this branch: a Code node costs time.
const WITH_FILES = `const items = [];
for (const [index, { json, binary }] of $input.all().entries()) {
  const files = [];
  for (const [field, { fileName, mimeType }] of Object.entries(binary ?? {})) {
    const bytes = await this.helpers.getBinaryDataBuffer(index, field);
    files.push({ field, name: fileName, mimeType, data: bytes.toString('base64') });
  }
  items.push({ json: { json, files } });
}
return items;`;

const RAN_AS = "={{ $('Run').first().metadata?.subExecution?.executionId ?? '' }}";

/**
 * The workflow that runs others for us, because n8n's public API cannot. It takes { workflowId, inputs }, calls that
 * workflow with one item and answers with all its output items. With files, `inputs` is JSON text in a multipart form.
 */
export function runnerWorkflow(options: {
  path: string;
  credential: Pick<Credential, 'id' | 'name'>;
  mark: Pick<Mark, 'owner' | 'source' | 'part'>;
}): { body: WorkflowBody; hash: string } {
  const body = bodyOf(options.path, options.credential);
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 12);
  const [call] = body.nodes as [Node];
  call.notes = markNote(ABOUT, { ...options.mark, kind: RUNNER, hash });
  return { body, hash };
}

function bodyOf(path: string, credential: Pick<Credential, 'id' | 'name'>): WorkflowBody {
  const nodes: Node[] = [
    {
      ...node('Call', 'webhook', 2, 0, 0, {
        path,
        httpMethod: 'POST',
        responseMode: 'responseNode',
        authentication: 'headerAuth',
        options: {},
      }),
      webhookId: path,
      credentials: { httpHeaderAuth: { id: credential.id, name: credential.name } },
    },
    // Later versions drop files together with the fields they are told to drop.
    node('Inputs', 'set', 3.3, 220, 0, {
      mode: 'raw',
      jsonOutput:
        "={{ typeof $json.body.inputs === 'string' ? $json.body.inputs : JSON.stringify($json.body.inputs ?? {}) }}",
      includeOtherFields: false,
      options: { includeBinary: true },
    }),
    {
      // In mode "each" n8n notes on every item which execution it came from.
      ...node('Run', 'executeWorkflow', 1.1, 440, 0, {
        source: 'database',
        mode: 'each',
        workflowId: { __rl: true, mode: 'id', value: "={{ $('Call').first().json.body.workflowId }}" },
        options: { waitForSubWorkflow: true },
      }),
      // A failure becomes an item { error }, and an empty output still gets an answer.
      onError: 'continueRegularOutput',
      alwaysOutputData: true,
    },
    node('Any files?', 'if', 2.2, 660, 0, {
      conditions: {
        options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
        conditions: [
          {
            id: 'files',
            leftValue: "={{ $('Run').all().some((item) => Object.keys(item.binary ?? {}).length > 0) }}",
            rightValue: '',
            operator: { type: 'boolean', operation: 'true', singleValue: true },
          },
        ],
        combinator: 'and',
      },
      options: {},
    }),
    node('Files', 'code', 2, 880, -120, { jsCode: WITH_FILES }),
    respond('Done with files', 1100, -120, [
      { name: EXECUTION_HEADER, value: RAN_AS },
      { name: FILES_HEADER, value: 'yes' },
    ]),
    respond('Done', 1100, 80, [{ name: EXECUTION_HEADER, value: RAN_AS }]),
  ];
  const to = (target: string) => [{ node: target, type: 'main', index: 0 }];
  const connections: Connections = {
    Call: { main: [to('Inputs')] },
    Inputs: { main: [to('Run')] },
    Run: { main: [to('Any files?')] },
    'Any files?': { main: [to('Files'), to('Done')] },
    Files: { main: [to('Done with files')] },
  };
  // The called workflow keeps its own executions, as its settings say.
  const settings = {
    executionOrder: 'v1',
    saveDataSuccessExecution: 'none',
    // Not even a failed one: its data would contain our secret header.
    saveDataErrorExecution: 'none',
    availableInMCP: false,
    callerPolicy: 'none',
  };
  return { name: NAME, nodes, connections, settings };
}

function respond(name: string, x: number, y: number, entries: { name: string; value: string }[]): Node {
  return node(name, 'respondToWebhook', 1.1, x, y, {
    respondWith: 'allIncomingItems',
    options: { responseHeaders: { entries } },
  });
}

// Fixed ids: the same runner is the same text, so a comparison shows whether somebody changed it.
function node(
  name: string,
  type: string,
  typeVersion: number,
  x: number,
  y: number,
  parameters: Record<string, unknown>,
): Node {
  const id = `sluice-runner-${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
  return { id, name, type: `n8n-nodes-base.${type}`, typeVersion, position: [x, y], parameters };
}
