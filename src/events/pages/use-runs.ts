import { Failed, get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { hasSource, may } from '../../console/client/session.ts';
import type { Ran } from './trace-lines.ts';

export interface Runs {
  readonly runs: ReadonlyMap<string, Ran>;
  /** Why some are unknown. */
  readonly missing: readonly string[];
}

const none: Runs = { runs: new Map(), missing: [] };
const MOST = 5;

/** Asks n8n about the executions of a trace. */
export function useRuns(ids: readonly string[]): Runs {
  const data = useData<Runs>(async (signal) => (ids.length === 0 ? none : ask(ids, signal)), [ids.join(' ')]);
  return data.value ?? none;
}

async function ask(ids: readonly string[], signal: AbortSignal): Promise<Runs> {
  if (!may('n8n:read') || !hasSource('n8n'))
    return { ...none, missing: ['What ran in n8n: you may not see it, or no n8n is connected.'] };
  const runs = new Map<string, Ran>();
  const missing: string[] = [];
  try {
    const { instances } = await get<{ instances: { name: string }[] }>('api/v1/n8n', signal);
    for (const id of ids.slice(0, MOST)) {
      const found = await inOneOf(instances, id, signal);
      if (typeof found === 'string') missing.push(`What ran in the n8n execution ${id}: ${found}`);
      else runs.set(id, found);
    }
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    missing.push(`What ran in n8n: ${error.message}`);
  }
  if (ids.length > MOST) missing.push(`What ran in ${ids.length - MOST} more executions: only ${MOST} are asked for.`);
  return { runs, missing };
}

/** Events do not name the instance. */
async function inOneOf(instances: readonly { name: string }[], id: string, signal: AbortSignal): Promise<Ran | string> {
  let why = 'no n8n is connected.';
  for (const { name } of instances) {
    try {
      return await get<Ran>(`api/v1/n8n/${encodeURIComponent(name)}/executions/${id}/drawing`, signal);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      why = error.message;
    }
  }
  return why;
}
