/**
 * A fake language model with the APIs of OpenAI, Anthropic and Google. It repeats the last message. If it has a tool, it
 * calls the tool first and repeats the result.
 *
 *   await using models = await startModels();
 *   models.url        for the credentials
 *   models.asked      the requests, latest last
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

export async function startModels() {
  const asked: { path: string; body: Json }[] = [];
  const server = createServer((request, response) => void served(request, response));
  async function served(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
    const text = Buffer.concat(chunks).toString();
    const path = (request.url ?? '').split('?')[0] ?? '';
    const body = (text === '' ? {} : JSON.parse(text)) as Json;
    asked.push({ path, body });
    const answer = answerTo(path, body);
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function answerTo(path: string, body: Json): Json | undefined {
  if (path.endsWith('/responses')) return responses(body);
  if (path.endsWith('/embeddings')) return embeddings(body);
  if (path.endsWith('/messages')) return anthropic(body);
  if (path.includes(':generateContent')) return gemini(body);
  return undefined;
}

const heard = (text: unknown): string => `I heard: ${String(text)}`;

/** All texts at any depth, in order. */
function texts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(texts);
  if (typeof value === 'string') return [value];
  const { text, content, parts } = (value ?? {}) as Json;
  return [text, content, parts].filter((one) => one !== undefined).flatMap(texts);
}

function responses({ input, tools, model }: Json): Json {
  const list = (Array.isArray(input) ? input : [{ content: input }]) as Json[];
  const told = list.findLast(({ type }) => type === 'function_call_output');
  const tool = (tools as { name: string }[] | undefined)?.[0];
  const last = texts(list.at(-1)).at(-1);
  const output =
    tool && !told
      ? {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_1',
          name: tool.name,
          arguments: JSON.stringify({ input: last }),
          status: 'completed',
        }
      : {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: heard(told ? told.output : last), annotations: [] }],
        };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return { id: 'resp_1', object: 'response', created_at: 0, status: 'completed', model, output: [output], usage };
}

/** Texts with the same letters get similar vectors. */
function embeddings({ input, model }: Json): Json {
  const vector = (text: string) =>
    Array.from({ length: 26 }, (_, at) => text.toLowerCase().split(String.fromCharCode(97 + at)).length - 1);
  const data = (Array.isArray(input) ? input : [input]).map((text, index) => ({
    object: 'embedding',
    index,
    embedding: vector(String(text)),
  }));
  return { object: 'list', data, model, usage: { prompt_tokens: 1, total_tokens: 1 } };
}

function anthropic({ messages, model }: Json): Json {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text: heard(texts(messages).at(-1)) }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

function gemini({ contents }: Json): Json {
  const content = { role: 'model', parts: [{ text: heard(texts(contents).at(-1)) }] };
  return {
    candidates: [{ content, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
}
