import { z } from 'zod';
import type { AppError } from '../../kernel/errors.ts';
import { toAppError } from '../../kernel/errors.ts';
import { quoted, someOf } from '../../kernel/some-of.ts';
import type { N8nClient } from '../client/client.ts';
import { isNotAllowed } from '../credentials/known-credentials.ts';
import { n8nTool } from '../tool.ts';
import { executionsIn, executionsInput } from './execution-input.ts';
import { existingExecution, notThere } from './wait.ts';
import { workflowNames } from './workflow-names.ts';

export const deleteExecution = n8nTool({
  name: 'n8n_delete_execution',
  title: 'Delete executions',
  description: 'Deletes the record of executions and their data for good. The workflows stay unchanged.',
  effect: 'delete',
  phrases:
    'delete executions; remove old runs; clean up the execution history; erase the data of a run; purge execution logs; clear the run log; get rid of the record of a failed run; free space taken by executions; remove sensitive data of a past run; delete run records; tidy up old executions; empty the execution list; forget that run; remove a failed execution from the history; the data of a run must disappear; purge execution records; privacy: remove personal data from a run; shrink the execution database; delete old logs of runs; drop finished jobs; erase traces of a run; remove all traces of test runs; throw away run data; clear the history of runs; delete job records; drop old results; get rid of old executions',
  tags: ['executions'],
  input: { id: executionsInput },
  output: z.object({
    deleted: z.array(z.string()),
    not_deleted: z.array(z.object({ id: z.string(), why: z.string() })).optional(),
  }),
  async preview({ id }, { client }, { signal }) {
    const found: string[] = [];
    const absent: { id: string; error: AppError }[] = [];
    for (const one of executionsIn(id)) {
      try {
        found.push(await inWords(client, one, signal));
      } catch (thrown) {
        const error = toAppError(thrown);
        if (error.code !== 'not_found') throw error;
        absent.push({ id: one, error });
      }
    }
    const [first] = absent;
    if (found.length === 0 && first) throw first.error;
    const what = found.length === 1 ? 'execution' : `${found.length} executions:`;
    const gone = absent.length > 0 ? ` Not found: ${someOf(absent.map((one) => one.id))}.` : '';
    return `It deletes the record and the data of ${what} ${someOf(found)}.${gone} Workflows stay unchanged.`;
  },
  async run({ id }, { client }, { signal }) {
    const deleted: string[] = [];
    const not: { id: string; error: AppError }[] = [];
    for (const one of executionsIn(id)) {
      try {
        await client.executions.delete(one, signal);
        deleted.push(one);
      } catch (thrown) {
        const error = toAppError(notThere(client, one, thrown));
        if (!['not_found', 'conflict', 'invalid_input'].includes(error.code)) throw error;
        not.push({ id: one, error });
      }
    }
    const [first] = not;
    if (deleted.length === 0 && first) throw first.error;
    return {
      deleted,
      ...(not.length > 0 && { not_deleted: not.map(({ id: of, error }) => ({ id: of, why: error.message })) }),
    };
  },
});

/** `231 ("Orders", error, 2026-02-03T04:05:06.000Z)`, or only the id if the API key may not read executions. */
async function inWords(client: N8nClient, id: string, signal: AbortSignal): Promise<string> {
  const execution = await existingExecution(client, id, false, signal).catch((error: unknown) => {
    if (isNotAllowed(error)) return undefined;
    throw error;
  });
  if (!execution) return id;
  const { workflowId, status, startedAt } = execution;
  const name = (await workflowNames(client, [workflowId], signal)).get(workflowId);
  const facts = [name === undefined ? workflowId : quoted(name), status, startedAt];
  return `${id} (${facts.filter(Boolean).join(', ')})`;
}
