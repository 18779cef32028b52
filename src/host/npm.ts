import { delimiter } from 'node:path';
import { AppError } from '../kernel/errors.ts';
import { startGroup } from './group.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Explains npm's error code and its last output; undefined leaves it to the general explanation. */
export type Explain = (code: string | undefined, words: string) => AppError | undefined;

export interface NpmRun {
  args: readonly string[];
  cwd: string;
  env: Env;
  signal: AbortSignal | undefined;
  /** Comes first on the PATH. */
  binaries?: string;
  /** Headers to compile against. */
  headers?: string;
  /** One more package was looked up or fetched. */
  onFetch?(): void;
  /** A better explanation of a failure, for what is installed here. */
  explain?: Explain;
  /** Called with its process group, so that others can wait for its end. */
  onStart?(group: number): Promise<void>;
}

/** What npm needs to reach its registry and find its caches. If npm runs Sluice, its other settings must not leak in. */
const passed =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_ALL|TMPDIR|TZ|XDG_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no|all)_proxy|npm_config_(registry|cache|cafile|ca|userconfig|globalconfig|proxy|https_proxy|noproxy|strict_ssl|python|jobs)|NPM_TOKEN|NODE_AUTH_TOKEN|CC|CXX|PYTHON)$/i;

const WORDS_KEPT = 8000;
const GRACE_MS = 2000;

export function npmEnvironment(all: Env): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(all)) if (value !== undefined && passed.test(name)) env[name] = value;
  return env;
}

export async function runNpm(run: NpmRun): Promise<void> {
  const env = npmEnvironment(run.env);
  if (run.binaries !== undefined) env.PATH = [run.binaries, env.PATH].filter(Boolean).join(delimiter);
  if (run.headers !== undefined) env.npm_config_nodedir = run.headers;
  run.signal?.throwIfAborted();

  let words = '';
  let rest = '';
  const group = await startGroup({
    command: 'npm',
    args: run.args,
    cwd: run.cwd,
    env,
    onOutput(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (/^npm http (fetch GET [23]|cache)/.test(line)) run.onFetch?.();
        else words = `${words}${line}\n`.slice(-WORDS_KEPT);
      }
    },
  }).catch((error: unknown) => {
    throw noNpm(error);
  });
  const stop = () => void group.stop(GRACE_MS);
  run.signal?.addEventListener('abort', stop, { once: true });
  try {
    await run.onStart?.(group.pid);
    const how = await group.ended;
    run.signal?.throwIfAborted();
    if (how !== undefined) throw npmProblem(how, `${words}${rest}`, run.explain);
  } finally {
    run.signal?.removeEventListener('abort', stop);
  }
}

export function noNpm(error: unknown): AppError {
  return new AppError(
    'unavailable',
    'npm is not on the PATH. Sluice needs it for this download. Install Node with npm (https://nodejs.org), or add it to the PATH, then try again.',
    { cause: error },
  );
}

export const GOES_ON = 'Then run the same command again: it continues where it stopped.';

/** Turns npm's last output into an error that says what to do. */
export function npmProblem(how: string, words: string, explain?: Explain): AppError {
  const code = /npm (?:error|ERR!) code (\w+)/.exec(words)?.[1];
  const explained = explain?.(code, words);
  if (explained) return explained;
  if (
    code !== undefined &&
    /^(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|FETCH_ERROR|E5\d\d|E429)$/.test(
      code,
    )
  ) {
    return new AppError(
      'unavailable',
      `npm cannot reach its registry (${code}). Check the connection, the proxy (HTTPS_PROXY) or \`npm config get registry\`. ${GOES_ON}`,
    );
  }
  if (code === 'E401' || code === 'E403') {
    return new AppError(
      'unavailable',
      `npm's registry refused access (${code}). Check \`npm config get registry\` and \`npm whoami\`. ${GOES_ON}`,
    );
  }
  if (isFull(code, words)) return new AppError('unavailable', `The disk is full. Free some space. ${GOES_ON}`);
  if (isLacking(code)) return new AppError('not_found', `npm's registry lacks a package: ${lastWords(words)}.`);
  return new AppError('internal', `npm ${how}: ${lastWords(words)}`);
}

export const isFull = (code: string | undefined, words: string): boolean =>
  code === 'ENOSPC' || /ENOSPC|no space left/i.test(words);

export const isLacking = (code: string | undefined): boolean => code === 'ETARGET' || code === 'E404';

export function lastWords(words: string): string {
  const lines = words
    .split('\n')
    .map((line) => line.replace(/^(npm (error|ERR!)|gyp ERR!) ?/, '').trim())
    .filter(
      (line) =>
        line !== '' &&
        !/^(404$|404 Note|404 tarball|code|errno|A complete log|npm warn|node -v|cwd|System|not ok)/.test(line),
    );
  const told = lines.slice(-3).join(' | ').slice(-400);
  return told.replace(/\/\/[^/\s@]+@/g, '//***@') || 'it did not say why';
}
