import { z } from 'zod';
import { AppError, toAppError } from '../../kernel/errors.ts';
import { endedAs } from '../client/refused.ts';
import { n8nTool } from '../tool.ts';
import { executionsIn, executionsInput } from './execution-input.ts';
import { notThere } from './wait.ts';

export const stopExecution = n8nTool({
  name: 'n8n_stop_execution',
  title: 'Stop executions',
  description:
    'Stops executions that run or wait. What their nodes have already done stays done. n8n_list_executions { status: "running" } shows them; n8n_retry_execution continues one.',
  effect: 'update',
  phrases:
    'stop a run; cancel a running execution; kill a run that hangs; abort a job; stop the endless loop; end a stuck execution; interrupt what is running; terminate a waiting execution; halt it now; stop the current run; the job runs forever; cancel it; kill the execution; stop all running executions; end a run; it is stuck, abort; break off a run; stop what is running now; cancel a waiting run; it has been running for two hours, end it; cancel everything that is running; it does not finish, kill it; pull the plug on the run; stop processing now; abort the current job; it hangs; break the loop; terminate all runs; that job never ends; interrupt the current run; shut the run down; stop it while it runs; get rid of a hanging job; end the execution; i started it by mistake, stop; cancel running executions; halt the process; kill job; stop waiting runs',
  scope: 'n8n:execute',
  tags: ['executions'],
  input: { id: executionsInput },
  output: z.object({
    stopped: z.array(z.object({ id: z.string(), status: z.string() })),
    not_stopped: z.array(z.object({ id: z.string(), why: z.string() })).optional(),
  }),
  examples: [{ title: 'Two at once', arguments: { id: ['231', '232'] } }],
  async run({ id }, { client }, { signal }) {
    const stopped: { id: string; status: string }[] = [];
    const not: { id: string; why: string; error: AppError }[] = [];
    const ids = executionsIn(id);
    for (const one of ids) {
      try {
        const { status } = await client.executions.stop(one, signal);
        stopped.push({ id: one, status });
      } catch (thrown) {
        const error = toAppError(notThere(client, one, thrown));
        if (!['not_found', 'conflict'].includes(error.code)) throw error;
        not.push({ id: one, why: whyNot(error), error });
      }
    }
    const [first] = not;
    if (stopped.length === 0 && first) throw new AppError(first.error.code, first.why, { cause: first.error });
    return { stopped, ...(not.length > 0 && { not_stopped: not.map(({ id: of, why }) => ({ id: of, why })) }) };
  },
});

function whyNot(error: AppError): string {
  const ended = error.code === 'conflict' ? endedAs(error) : undefined;
  return ended
    ? `Execution ${ended.id} has already ended (${ended.status}). Only one that runs or waits can be stopped.`
    : error.message;
}
