import { n8nTool } from '../tool.ts';
import { DEFAULT_SECONDS, waitInput } from './wait-input.ts';
import { executionInput } from './execution-input.ts';
import { knownOutputs } from './outputs.ts';
import { resultOf, runResult } from './result.ts';
import { patienceOf, untilEnded } from './wait.ts';

export const waitExecution = n8nTool({
  name: 'n8n_wait_execution',
  title: 'Wait for an execution',
  description:
    'Waits until an execution has ended, telling its progress, and returns what its last node gave out, or which node failed and why. Comes back earlier, with status running or waiting, when the time is up or it waits for a later moment or an answer.',
  effect: 'read',
  phrases:
    'wait until a run is finished; tell me when it is done; wait for an execution; progress of a running execution; block until it completes; is it finished yet; follow a long run; poll until the job ends; result when it is ready; let me know when the run ends; wait for the result; is the job done; keep an eye on the running execution; hold until the workflow has finished; how far is it; watch the run until the end; wait for completion; progress of the run; come back to me once the run is through; has it finished, if not stay on it; wait for it; how is the run going; report when done; stay until it ends; monitor a long job; when will it be ready; await the outcome; is the execution over; notify me as soon as the run is over; wait till done; stay with the run; result as soon as it is there; keep waiting for the job; until it has ended; check back until finished; wait for the workflow to finish; follow the execution',
  tags: ['executions'],
  input: { id: executionInput, wait_seconds: waitInput },
  output: runResult,
  examples: [{ title: 'At most five minutes', arguments: { id: '231', wait_seconds: 300 } }],
  async run({ id, wait_seconds = DEFAULT_SECONDS }, { client, catalogues }, { signal }, progress) {
    const execution = await untilEnded(client, id, patienceOf(wait_seconds, signal, progress));
    return resultOf(client, execution, knownOutputs(catalogues, client.name), signal);
  },
});
