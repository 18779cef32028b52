import { fileURLToPath } from 'node:url';
import type { Env } from '../../host/part.ts';
import { AppError, type ErrorCode, errorCodes } from '../../kernel/errors.ts';
import { createCatalogues, type OwnCatalogues, type SyncProgress, type Syncing } from './catalogues.ts';
import { PINNED_N8N } from '../which-n8n.ts';
import type { NodesHost } from '../settings.ts';

const bin = fileURLToPath(new URL('../../../bin/sluice.js', import.meta.url));
const GRACE_MS = 2000;

/** The catalogues of a gateway. A separate `sluice nodes sync` process builds them, so that its memory is freed afterwards. */
export function nodeCatalogues(
  host: NodesHost,
  n8n: { names(): readonly string[]; isStarting(instance: string): boolean },
): OwnCatalogues {
  const settings = () => host.settings().nodes;
  return createCatalogues({
    home: host.home,
    cache: host.cache,
    pinned: () => settings().version ?? PINNED_N8N,
    instances: n8n.names,
    isStarting: n8n.isStarting,
    automatic: () => settings().build === 'auto',
    idleMs: host.idleMs,
    sync: (instance, progress) => syncAlone(host, instance, progress),
  });
}

/** With replicas, one builds at a time. */
function syncAlone(host: NodesHost, instance: string | undefined, progress: SyncProgress): Syncing {
  const { shared } = host;
  const start = () => syncApart(host, instance, progress);
  if (!shared.peers || shared.cutOffSince() !== undefined) return start();
  const loaded = import('./in-turn.ts').then(({ syncInTurn }) => syncInTurn(shared, progress, start));
  return {
    ended: loaded.then(({ ended }) => ended),
    stop: () => void loaded.then((syncing) => syncing.stop()),
  };
}

function syncApart(host: NodesHost, instance: string | undefined, progress: SyncProgress): Syncing {
  const stopping = new AbortController();
  const { home, cwd, env, file: config } = host;
  const pinned = host.settings().nodes.version ?? PINNED_N8N;
  const args = [
    bin,
    'nodes',
    'sync',
    '--json',
    '--meanings',
    // Always pass one of these: the default is the configured n8n.
    instance === undefined ? `--version=${pinned}` : `--instance=${instance}`,
    ...(config === undefined ? [] : [`--config=${config}`]),
  ];

  async function run(): Promise<void> {
    const { startGroup } = await import('../../host/group.ts');
    let problem: AppError | undefined;
    let rest = '';
    const group = await startGroup({
      command: process.execPath,
      args,
      cwd,
      env: { ...given(env), SLUICE_HOME: home },
      onOutput(text) {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const { step, done, of, usable, error } = told(line);
          if (error) problem = error;
          else if (step !== undefined) progress(step, done, of, usable);
        }
      },
    });
    const stop = () => void group.stop(GRACE_MS);
    if (stopping.signal.aborted) stop();
    stopping.signal.addEventListener('abort', stop, { once: true });
    const how = await group.ended;
    if (how !== undefined) throw problem ?? new AppError('internal', `the build process ${how}.`);
  }

  return { ended: run(), stop: () => stopping.abort() };
}

/** Parses a line of `sluice nodes sync --json`. */
function told(line: string): { step?: string; done: number; of: number; usable?: boolean; error?: AppError } {
  try {
    const { step, done, of, usable, error } = JSON.parse(line) as {
      step?: string;
      done?: number;
      of?: number;
      usable?: boolean;
      error?: { code: string; message: string };
    };
    const known = error && Object.hasOwn(errorCodes, error.code) ? (error.code as ErrorCode) : 'internal';
    return {
      ...(typeof step === 'string' && { step }),
      done: done ?? 0,
      of: of ?? 1,
      usable: usable === true,
      ...(error && { error: new AppError(known, error.message) }),
    };
  } catch {
    return { done: 0, of: 1 };
  }
}

function given(env: Env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
