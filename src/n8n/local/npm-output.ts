import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { noNpm, npmEnvironment, npmProblem } from '../../host/npm.ts';
import { npmProblemOfN8n } from './npm-problem.ts';

const MOST = 4 * 1024 * 1024;
const WORDS_KEPT = 8000;
// Fails after about 15 seconds without a network, and survives a short interruption.
const patience = [
  '--fetch-retries=2',
  '--fetch-retry-factor=2',
  '--fetch-retry-mintimeout=1000',
  '--no-update-notifier',
];

/** Runs npm and returns what it prints. */
export async function npmOutput(options: {
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
}): Promise<string> {
  options.signal?.throwIfAborted();
  const child = spawn('npm', [...options.args, ...patience], {
    cwd: options.cwd,
    env: npmEnvironment(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.signal && { signal: options.signal }),
  });
  let printed = '';
  let words = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (printed.length < MOST) printed += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = `${words}${text}`.slice(-WORDS_KEPT);
  });
  const [code, ended] = (await once(child, 'close').catch((error: unknown) => {
    options.signal?.throwIfAborted();
    throw noNpm(error);
  })) as [number | null, string | null];
  if (code === 0) return printed;
  throw npmProblem(code === null ? `was ended by ${ended}` : `ended with code ${code}`, words, npmProblemOfN8n);
}
