import type { Reached } from '../../support/workbench.ts';
import { answersTo, ask, type Execution, executed, signIn } from '../../support/n8n-answers.ts';

/** The result of a run: the output of each node, in the order in which they ran. */
export interface Outcome {
  readonly status: string;
  readonly nodes: readonly (readonly [name: string, turns: unknown])[];
}

interface Asked {
  readonly workflow: unknown;
  /** Run it as a sub-workflow inside the calling node: n8n accepts any shape of it there. */
  readonly asSubWorkflow: boolean;
}

type Owned = Reached & { owner: { email: string; password: string } };

/** Runs each from its node "Start". A string says why n8n did not save it, or why there was no run. */
export async function outcomes(n8n: Owned, asked: readonly Asked[]): Promise<(Outcome | string)[]> {
  const cookie = await signIn(n8n);
  return answersTo(asked, async (one) => {
    const { workflow, asSubWorkflow } = one as Asked;
    const made = await saved(n8n, cookie, asSubWorkflow ? callerOf(workflow) : workflow);
    if (typeof made === 'string') return made;
    try {
      const ended = await executed(n8n, cookie, made.id, 'Start');
      if (typeof ended === 'string') return ended;
      return asSubWorkflow ? await calledOf(n8n, ended) : outcomeOf(ended);
    } finally {
      await ask(n8n, 'DELETE', `/workflows/${made.id}`);
    }
  });
}

/** Saves it like the editor, which accepts more than the public API. */
async function saved({ url }: Reached, cookie: string, workflow: unknown): Promise<{ id: string } | string> {
  const reply = await fetch(`${url}/rest/workflows`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', cookie },
    body: JSON.stringify(workflow),
  });
  const body = (await reply.json()) as { data?: { id: string }; message?: string };
  return body.data ?? `not saved: ${body.message}`;
}

function callerOf(workflow: unknown) {
  const place = { position: [0, 0], parameters: {} };
  return {
    name: 'Calls a safe fix',
    settings: {},
    nodes: [
      { ...place, id: 'a', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
      {
        ...place,
        id: 'b',
        name: 'Call',
        type: 'n8n-nodes-base.executeWorkflow',
        typeVersion: 1.2,
        parameters: { source: 'parameter', workflowJson: JSON.stringify(workflow), options: {} },
      },
    ],
    connections: { Start: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } },
  };
}

async function calledOf(n8n: Reached, { data }: Execution): Promise<Outcome | string> {
  const call = data?.resultData?.runData?.Call?.[0];
  const id = call?.metadata?.subExecution?.executionId ?? call?.error?.executionId;
  if (id === undefined) return call?.error?.message ?? 'nothing was called';
  const { status, body } = await ask(n8n, 'GET', `/executions/${id}?includeData=true`);
  return status === 200 ? outcomeOf(body) : 'n8n has not kept the run';
}

function outcomeOf({ status, data }: Execution): Outcome {
  const nodes = Object.entries(data?.resultData?.runData ?? {}).map(
    ([name, turns]) =>
      [
        name,
        turns.map(({ error, data: given = {} }) => ({
          ...(error && { error: error.message }),
          given: Object.entries(given).map(([kind, outputs]) => [
            kind,
            outputs.map((output) => output?.map(({ json }) => json) ?? null),
          ]),
        })),
      ] as const,
  );
  return { status: status ?? 'unknown', nodes };
}
