import { useSignal } from '@preact/signals';
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
const AGAIN_MS = 10_000;

/** Asks n8n about the executions of a trace, again and again until all have ended. */
export function useRuns(ids: readonly string[], isThen: (started: string | undefined) => boolean): Runs {
  const isOpen = useSignal(false);
  const data = useData<Runs>(
    async (signal) => {
      const found = ids.length === 0 ? none : await ask(ids, isThen, signal);
      isOpen.value = [...found.runs.values()].some(({ stopped }) => stopped === undefined);
      return found;
    },
    [ids.join(' ')],
    isOpen.value ? AGAIN_MS : undefined,
  );
  return data.value ?? none;
}

type IsThen = Parameters<typeof useRuns>[1];

async function ask(ids: readonly string[], isThen: IsThen, signal: AbortSignal): Promise<Runs> {
  if (!may('n8n:read') || !hasSource('n8n'))
    return { ...none, missing: ['What ran in n8n: you may not see it, or no n8n is connected.'] };
  const runs = new Map<string, Ran>();
  const missing: string[] = [];
  try {
    const { instances } = await get<{ instances: { name: string }[] }>('api/v1/n8n', signal);
    for (const id of ids.slice(0, MOST)) {
      const found = await inOneOf(instances, id, isThen, signal);
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

/** Events do not name the instance: of several, it is the one that ran it at that time. */
async function inOneOf(
  instances: readonly { name: string }[],
  id: string,
  isThen: IsThen,
  signal: AbortSignal,
): Promise<Ran | string> {
  let found: Ran | string = 'no n8n is connected.';
  for (const { name } of instances) {
    try {
      const path = `api/v1/n8n/${encodeURIComponent(name)}/executions/${id}/drawing`;
      const ran: Ran = await get(path, signal);
      if (isThen(ran.started)) return ran;
      found = ran;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      if (typeof found === 'string') found = error.message;
    }
  }
  return found;
}
