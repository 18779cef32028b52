import { messageOf } from '../kernel/errors.ts';
import type { Health } from '../kernel/health.ts';
import type { N8nClient, N8nSettings } from './client/client.ts';
import type { Check } from '../host/check.ts';
import { partCheck } from '../host/check.ts';

/** Checks that an n8n answers and accepts the key and the login. `part` is the health that the gateway already knows. */
export async function n8nCheck(
  name: string,
  settings: N8nSettings,
  signal: AbortSignal,
  part?: Health,
): Promise<Check> {
  const check = `n8n ${name}`;
  // Don't ask an n8n that is still starting: the request would wait until it is up.
  const [starting] =
    part?.state === 'starting' && settings.presence?.isUp() === false ? partCheck(part, Date.now()) : [];
  if (starting) return starting;
  const { createN8nClient } = await import('./client/client.ts');
  const client = createN8nClient(name, settings);
  const failed = (detail: string): Check => ({ check, result: 'failed', detail });
  if (settings.apiKey === undefined) {
    if (part?.detail !== undefined && part.fix === undefined) return failed(part.detail);
    const { keyFix } = await import('./watch-instances.ts');
    return { ...failed(`${settings.url} has no API key`), fix: keyFix(name) };
  }
  try {
    await client.workflows.page({ limit: 1 }, signal);
  } catch (error) {
    return failed(whyOf(error, settings.url, signal));
  }
  const place = await placeOf(client, signal);
  if (!settings.login) return { check, result: 'ok', detail: `${place} accepts the API key; no login is set` };
  try {
    await client.session.ask('GET', '/login', { signal });
  } catch (error) {
    return failed(whyOf(error, settings.url, signal));
  }
  return { check, result: 'ok', detail: `${place} accepts the API key and the login` };
}

/** The n8n's version and URL. */
async function placeOf({ url, plain }: N8nClient, signal: AbortSignal): Promise<string> {
  const { pageVersion } = await import('./nodes/instance-types.ts');
  const version = await pageVersion(plain, signal).catch(() => undefined);
  return version === undefined ? url : `n8n ${version} at ${url}`;
}

function whyOf(error: unknown, url: string, signal: AbortSignal): string {
  return signal.aborted ? `${url} did not answer in time. Check that it is running.` : messageOf(error);
}
