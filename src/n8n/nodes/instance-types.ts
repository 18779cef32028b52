import { AppError } from '../../kernel/errors.ts';
import type { InstanceSource } from '../../nodes/sources/sources.ts';
import type { N8nClient } from '../client/client.ts';
import { errorFrom } from '../client/http-errors.ts';

/** The answer is 18 MB, and a busy n8n is slow. */
const TYPES_MS = 60_000;

/** Reads version and node types from an n8n. It lists node types only for a signed-in user, never for an API key. */
export function instanceTypes({ plain, session }: N8nClient): InstanceSource {
  async function list(kind: 'nodes' | 'credentials', signal: AbortSignal | undefined): Promise<unknown[]> {
    const path = `/types/${kind}.json`;
    const answer = await session.sendTo('GET', path, { timeoutMs: TYPES_MS, ...(signal && { signal }) });
    if (answer.status !== 200) throw errorFrom(plain.address, answer, 'GET', path);
    if (Array.isArray(answer.body)) return answer.body as unknown[];
    throw new AppError(
      'unavailable',
      `n8n (${plain.address.name}) did not return the list of its ${kind}. Check whether a proxy in front of it answers instead.`,
    );
  }

  return {
    async version(signal) {
      const ask = signal ? { signal } : {};
      if (session.possible) {
        const settings = (await session.ask('GET', '/settings', ask)) as { versionCli?: unknown } | undefined;
        return typeof settings?.versionCli === 'string' ? settings.versionCli : undefined;
      }
      return pageVersion(plain, signal);
    },
    ...(session.possible && {
      types: async (signal: AbortSignal | undefined) => ({
        nodes: await list('nodes', signal),
        credentials: await list('credentials', signal),
      }),
    }),
  };
}

/** The version of an n8n, without signing in. */
export async function pageVersion(plain: N8nClient['plain'], signal?: AbortSignal): Promise<string | undefined> {
  const { body } = await plain.send('GET', '/', { headers: { accept: 'text/html' }, ...(signal && { signal }) });
  return typeof body === 'string' ? versionInPage(body) : undefined;
}

/** n8n's API tells the version only to signed-in users, but the editor's page has it for its error reports. */
function versionInPage(html: string): string | undefined {
  for (const [, content = ''] of html.matchAll(/<meta name="n8n:config:[\w-]+" content="([A-Za-z0-9+/=]+)"/g)) {
    const version = /"release"\s*:\s*"n8n@(\d+\.\d+\.\d+[\w.-]*)"/.exec(
      Buffer.from(content, 'base64').toString('utf8'),
    );
    if (version?.[1] !== undefined) return version[1];
  }
  return undefined;
}
