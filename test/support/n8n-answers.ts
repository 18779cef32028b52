import type { Reached } from './workbench.ts';

export interface Answer {
  readonly status: number;
  readonly message: string | undefined;
}

/** What the real n8n answers when asked to create each of these. Everything is removed again. */
export function creations(n8n: Reached, workflows: readonly unknown[]): Promise<Answer[]> {
  return answersTo(workflows, async (workflow) => {
    const { status, body } = await ask(n8n, 'POST', '/workflows', workflow);
    if (body.id !== undefined) await ask(n8n, 'DELETE', `/workflows/${body.id}`);
    return { status, message: body.message };
  });
}

/** What n8n answers when asked to publish them; undefined for workflows it does not even create. */
export function publications(n8n: Reached, workflows: readonly unknown[]): Promise<(Answer | undefined)[]> {
  return answersTo(workflows, async (workflow) => {
    const { body: made } = await ask(n8n, 'POST', '/workflows', workflow);
    if (made.id === undefined) return undefined;
    const { status, body } = await ask(n8n, 'POST', `/workflows/${made.id}/activate`);
    if (status === 200) await ask(n8n, 'POST', `/workflows/${made.id}/deactivate`);
    // n8n does not delete it while it is being unpublished.
    while ((await ask(n8n, 'DELETE', `/workflows/${made.id}`)).status === 409)
      await new Promise((done) => setTimeout(done, 50));
    return { status, message: body.message };
  });
}

/** Asks for all of them, a few at a time. */
export async function answersTo<T>(
  workflows: readonly unknown[],
  one: (workflow: unknown) => Promise<T>,
): Promise<T[]> {
  const answers: T[] = [];
  const waiting = [...workflows.entries()].toReversed();
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      answers[next[0]] = await one(next[1]);
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  return answers;
}

interface Made {
  readonly id?: string;
  readonly message?: string;
}

export async function ask({ url, apiKey }: Reached, method: string, path: string, body?: unknown) {
  const reply = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'X-N8N-API-KEY': apiKey, 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(60_000),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: (await reply.json()) as Made & Execution };
}

/** How a manual run went. */
export interface Run {
  /** Why n8n did not start, or stopped. */
  readonly failure: string | undefined;
  /** The nodes that have run, whether or not they failed. */
  readonly executed: ReadonlySet<string>;
}

/** One run of a node. */
export interface Turn {
  readonly error?: { readonly message?: string; readonly executionId?: string };
  readonly data?: Readonly<Record<string, readonly (readonly { readonly json: unknown }[] | null)[]>>;
  readonly metadata?: { readonly subExecution?: { readonly executionId: string } };
}

export interface Execution {
  readonly status?: string;
  readonly finished?: boolean;
  readonly stoppedAt?: string | null;
  readonly data?: {
    readonly resultData?: {
      readonly runData?: Readonly<Record<string, readonly Turn[]>>;
      readonly error?: { readonly message?: string };
    };
  };
}

/** Runs each from this node, which returns one empty item; undefined for workflows that n8n does not even create. */
export async function runs(
  n8n: Reached & { owner: { email: string; password: string } },
  asked: readonly { readonly workflow: unknown; readonly from: string }[],
): Promise<(Run | undefined)[]> {
  const cookie = await signIn(n8n);
  return answersTo(asked, async (one) => {
    const { workflow, from } = one as (typeof asked)[number];
    const { body: made } = await ask(n8n, 'POST', '/workflows', workflow);
    if (made.id === undefined) return undefined;
    try {
      return await run(n8n, cookie, made.id, from);
    } finally {
      await ask(n8n, 'DELETE', `/workflows/${made.id}`);
    }
  });
}

export async function signIn({
  url,
  owner,
}: {
  url: string;
  owner: { email: string; password: string };
}): Promise<string> {
  const reply = await fetch(`${url}/rest/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ emailOrLdapLoginId: owner.email, password: owner.password }),
  });
  return reply.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
}

async function run(n8n: Reached, cookie: string, id: string, from: string): Promise<Run> {
  const ended = await executed(n8n, cookie, id, from);
  return typeof ended === 'string' ? { failure: ended, executed: new Set() } : runOf(ended);
}

/** A finished run from this node, which returns one empty item, or why there is none. */
export async function executed(n8n: Reached, cookie: string, id: string, from: string): Promise<Execution | string> {
  const data = { main: [[{ json: {} }]] };
  const given = { data, startTime: 0, executionTime: 0, executionIndex: 0, source: [] };
  const reply = await fetch(`${n8n.url}/rest/workflows/${id}/run`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', cookie },
    body: JSON.stringify({ triggerToStartFrom: { name: from, data: given } }),
  });
  const started = (await reply.json()) as { data?: { executionId?: string }; message?: string };
  const executionId = started.data?.executionId;
  if (executionId === undefined) return started.message ?? `status ${reply.status}`;
  const began = performance.now();
  for (;;) {
    const { body } = await ask(n8n, 'GET', `/executions/${executionId}?includeData=true`);
    if (body.stoppedAt) return body;
    const unended =
      body.status === 'waiting' ? 'it waits' : performance.now() - began > LONGEST_RUN ? 'it goes on' : '';
    if (unended !== '') {
      await ask(n8n, 'POST', `/executions/${executionId}/stop`);
      return unended;
    }
    await new Promise((done) => setTimeout(done, 30));
  }
}

/** Nodes that call the outside world may wait for it in vain. */
const LONGEST_RUN = 20_000;

function runOf({ status, data }: Execution): Run {
  const { runData = {}, error } = data?.resultData ?? {};
  const failed = Object.values(runData).flatMap((tries) => tries.flatMap((one) => (one.error ? [one.error] : [])));
  const failure = error?.message ?? failed[0]?.message ?? (status === 'success' ? undefined : status);
  return { failure, executed: new Set(Object.keys(runData)) };
}
