import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { finelyCpuOf, rssOf } from './proc.ts';

/** An MCP server as a child process, over stdio. */
export interface StdioServer extends AsyncDisposable {
  /** From the start to the answer to `initialize`, in milliseconds. */
  readonly startMs: number;
  /** The text of a tool's result; throws if the result is an error. */
  call(name: string, args: object): Promise<string>;
  /** A ping: the minimum cost of every call. */
  ping(): Promise<unknown>;
  /** CPU used so far, in microseconds. */
  cpu(): number;
  rss(): number;
}

interface Answer {
  id?: number;
  result?: { isError?: boolean; content?: { type: string; text?: string }[] };
  error?: { message: string };
}

export async function startStdio(
  args: readonly string[],
  directory: string,
  env: Record<string, string>,
  node = process.execPath,
): Promise<StdioServer> {
  const began = performance.now();
  const child = spawn(node, args, {
    cwd: directory,
    stdio: ['pipe', 'pipe', 'ignore'],
    // Inherit nothing else: an API key from this shell would change the measurement.
    env: { PATH: process.env.PATH, HOME: directory, TMPDIR: directory, ...env },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`Could not start ${args[0]}.`);
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return;
    const answer = JSON.parse(line) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${args[0]} ended with ${code}.`)));
  ended.catch(() => {});
  let lastId = 0;
  const write = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = async (method: string, params: object): Promise<NonNullable<Answer['result']>> => {
    const id = ++lastId;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    waiting.set(id, resolve);
    write({ id, method, params });
    const { result, error } = await Promise.race([promise, ended]);
    waiting.delete(id);
    if (!result) throw new Error(`${method}: ${error?.message}`);
    return result;
  };
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  const startMs = performance.now() - began;
  write({ method: 'notifications/initialized' });
  return {
    startMs,
    async call(name, input) {
      const { isError, content = [] } = await request('tools/call', { name, arguments: input });
      const text = content.map((part) => part.text ?? '').join('\n');
      if (isError) throw new Error(`${name}: ${text.slice(0, 300)}`);
      return text;
    },
    ping: () => request('ping', {}),
    cpu: () => finelyCpuOf(pid),
    rss: () => rssOf(pid),
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(kill, 1_000);
      await exit;
      clearTimeout(late);
    },
  };
}
