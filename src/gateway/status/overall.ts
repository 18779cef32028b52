import { type Health, troubleOf } from '../../kernel/health.ts';

interface Backend {
  readonly name: string;
  readonly state: string;
  readonly lastError?: { readonly message: string } | undefined;
  readonly urls?: readonly { readonly url: string; readonly state: string; readonly lastError?: string | undefined }[];
}

/**
 * The state of everything in one word, with a line for each problem. `failed` means that Sluice can do nothing: the store
 * cannot be written, or every server and n8n that it connects is down.
 */
export function overallOf(
  backends: readonly Backend[],
  parts: readonly Health[],
): { state: 'ok' | 'degraded' | 'failed'; problems: string[] } {
  const problems = [
    ...backends.flatMap((backend) => line(`server ${backend.name}`, backendTrouble(backend))),
    ...parts.flatMap((part) => line(part.name, troubleOf(part))),
  ];
  const connected = [
    ...backends.map(({ state }) => state === 'FAILED'),
    ...parts.filter(({ kind }) => kind === 'n8n').map(({ state }) => state === 'failing'),
  ];
  const noStore = parts.some(({ kind, state }) => kind === 'store' && state === 'failing');
  const nothing = connected.length > 0 && connected.every((failed) => failed);
  return { state: noStore || nothing ? 'failed' : problems.length > 0 ? 'degraded' : 'ok', problems };
}

function backendTrouble({ state, lastError, urls = [] }: Backend): string | undefined {
  if (state === 'RUNNING' || state === 'STOPPED') return undefined;
  if (state === 'STARTING' && !lastError) return 'is starting';
  const down = urls.filter((url) => url.state === 'FAILED' || url.state === 'DEGRADED');
  if (state === 'DEGRADED' && down.length > 0) {
    const each = down.map(({ url, lastError: why }) => (why === undefined ? url : `${url} (${why.split('\n')[0]})`));
    return `${down.length} of its ${urls.length} URLs ${down.length === 1 ? 'does' : 'do'} not work: ${each.join(', ')}`;
  }
  return lastError?.message ?? `is ${state}`;
}

function line(name: string, trouble: string | undefined): string[] {
  return trouble === undefined ? [] : [`${name}: ${trouble.split('\n')[0]}`];
}
