/**
 * A fake language model with the chat completions API. Asked for a product, it calls the tool that `toolFor` chooses, and
 * repeats the answer. Written from the API's public contract.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Asked {
  model: string;
  stream?: boolean;
  messages: { role: string; content?: unknown }[];
  tools?: { type: string; function: { name: string; parameters?: unknown } }[];
}

export interface ArithmeticModel extends AsyncDisposable {
  /** Base URL, for the credential of the model. */
  readonly url: string;
  /** The requests it got, in order. */
  readonly asked: readonly Asked[];
}

/** `toolFor` chooses one of the offered tool names. */
export async function startArithmeticModel(
  toolFor: (names: readonly string[]) => string | undefined,
): Promise<ArithmeticModel> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => void serve(request, response));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET')
      return reply(response, { object: 'list', data: [{ id: 'arithmetic', object: 'model' }] });
    const question = (await json(request)) as Asked;
    asked.push(question);
    const message = answerTo(question, toolFor);
    const base = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model: question.model };
    const finish = message.tool_calls ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    if (!question.stream) {
      const choices = [{ index: 0, message, finish_reason: finish, logprobs: null }];
      return reply(response, { ...base, object: 'chat.completion', choices, usage });
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
    const delta = { ...message, ...(calls && { tool_calls: calls }) };
    for (const choice of [
      { index: 0, delta, finish_reason: null },
      { index: 0, delta: {}, finish_reason: finish },
    ]) {
      response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [choice] })}\n\n`);
    }
    response.end('data: [DONE]\n\n');
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function reply(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

interface Message {
  role: 'assistant';
  content: string | null;
  refusal: null;
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
}

function answerTo({ messages, tools = [] }: Asked, toolFor: (names: readonly string[]) => string | undefined): Message {
  const say = (content: string): Message => ({ role: 'assistant', content, refusal: null });
  const worked = messages.findLast(({ role }) => role === 'tool');
  if (worked) return say(`The tool says: ${textIn(worked.content)}`);
  const names = tools.map((tool) => tool.function.name);
  const name = toolFor(names);
  if (name === undefined) return say(`No such tool among ${names.join(', ')}`);
  const question = textIn(messages.findLast(({ role }) => role === 'user')?.content);
  const [, a, b] = /(\d+)\s*\*\s*(\d+)/.exec(question) ?? [];
  const wish = { name, arguments: JSON.stringify({ input: `${a}*${b}` }) };
  return {
    role: 'assistant',
    content: null,
    refusal: null,
    tool_calls: [{ id: `call_${randomUUID()}`, type: 'function', function: wish }],
  };
}

function textIn(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}
