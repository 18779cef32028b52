/**
 * Runs HUMAN_IN_THE_LOOP in a real n8n. It asks through a fake Telegram, or with n8n's own form.
 *
 *   await using asking = await openAsking();
 *   const ask = await asking.start('a', fragment, asking.credited);   // behind a webhook, published
 *   const run = await asking.waiting(await ask({ order: 7 }));        // the run that waits for the answer
 *   asking.messages                                                   // what Telegram received: one per button
 *   await asking.branches(run)                                        // { 0: [{ … }] }: the items of each output
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Node } from '../../../src/n8n/client/shapes.ts';
import type { Fragment } from '../../../src/nodes/fragments/fragment.ts';
import { hook, line, make, set } from '../../support/workflows.ts';
import { openWorkbench } from '../../support/workbench.ts';

/** n8n treats clients without a browser's user agent as link preview bots. */
export const person = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
};

export async function until<T>(look: () => Promise<T | undefined> | T | undefined, within = 20_000): Promise<T> {
  for (const end = Date.now() + within; Date.now() < end; ) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('Timed out.');
}

interface Run {
  readonly status: string;
  readonly data?: {
    readonly resultData?: {
      readonly runData?: Record<string, { data?: { main?: ({ json: Record<string, unknown> }[] | null)[] } }[]>;
    };
  };
}

export type Asking = Awaited<ReturnType<typeof openAsking>>;

export async function openAsking() {
  await using stack = new AsyncDisposableStack();
  const bench = stack.use(await openWorkbench([]));
  const { executions, credentials } = bench.client;
  const messages: { chat: string; text: string; url: string }[] = [];
  const telegram = createServer((request, response) => void served(request, response));
  async function served(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
    const { chat_id, text, reply_markup } = JSON.parse(Buffer.concat(chunks).toString()) as {
      chat_id: string | number;
      text: string;
      reply_markup: { inline_keyboard: { url: string }[][] };
    };
    for (const { url } of reply_markup.inline_keyboard.flat()) messages.push({ chat: String(chat_id), text, url });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, result: { message_id: 1 } }));
  }
  stack.defer(() => void telegram.close());
  await new Promise<void>((done) => telegram.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(telegram.address() as AddressInfo).port}`;
  const data = { accessToken: '1:abc', baseUrl };
  const { id, name } = await credentials.create({ name: bench.name('telegram'), type: 'telegramApi', data });
  stack.defer(() => credentials.delete(id));

  const runOf = async (run: string) => (await executions.get(run, 'whole')) as unknown as Run;
  const latest = (workflow: string, status: string) =>
    until(async () => (await executions.page({ workflowId: workflow, status })).items[0]?.id);

  /** The items of a node in a run, by output. */
  async function given(run: string, node: string): Promise<Record<string, unknown>[][]> {
    const outputs = (await runOf(run)).data?.resultData?.runData?.[node]?.[0]?.data?.main ?? [];
    return outputs.map((items) => (items ?? []).map(({ json }) => json));
  }

  const owned = stack.move();
  return {
    bench,
    messages,
    given,
    credited: (node: Node): Node =>
      node.type === 'n8n-nodes-base.telegram' ? { ...node, credentials: { telegramApi: { id, name } } } : node,

    /** n8n accepts an answer as soon as the run has this status. */
    waiting: (workflow: string) => latest(workflow, 'waiting'),
    ended: (workflow: string) => latest(workflow, 'success'),

    async branches(run: string, within?: number): Promise<Record<number, object[]>> {
      await until(async () => {
        const { status } = await runOf(run);
        return ['waiting', 'running', 'new'].includes(status) ? undefined : status;
      }, within);
      const outputs = await given(run, 'Answer');
      return Object.fromEntries(
        outputs.map((items, at) => [at, items]).filter(([, items]) => (items as []).length > 0),
      );
    },

    /** Makes the workflow. The returned function starts a run and gives the workflow's id. */
    async start(label: string, fragment: Fragment, change: (node: Node) => Node = (node) => node) {
      const path = bench.name(label);
      const nodes = fragment.nodes.map((node) => change(node as Node));
      const lead = line(hook(path, { responseMode: 'onReceived' }), set('Order', '$json.body'), nodes[0] as Node);
      const { id: workflow } = await make(bench, label, {
        nodes: [...lead.nodes, ...nodes.slice(1)],
        connections: { ...lead.connections, ...fragment.connections },
      });
      return async (item: object): Promise<string> => {
        const headers = { 'content-type': 'application/json' };
        await fetch(`${bench.url}/webhook/${path}`, { method: 'POST', headers, body: JSON.stringify(item) });
        return workflow;
      };
    },

    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
