import { type Check, exposedChecks, homeCheck, notConnectedChecks, serverChecks } from './cli/doctor-checks.ts';
import { n8nCheck } from './cli/doctor-n8n.ts';
import { partCheck, withTimes } from './cli/doctor-parts.ts';
import { messageOf } from './kernel/errors.ts';
import type { Runtime } from './runtime.ts';
import { findExposed } from './telemetry/permissions.ts';

const N8N_MS = 15_000;
/** These have a closer look of their own. */
const looked: ReadonlySet<string> = new Set(['configuration', 'store', 'n8n']);

/** Everything a gateway can find out about itself, in its own process and with its own environment. */
export async function* checkRuntime(runtime: Runtime, home: string, signal: AbortSignal): AsyncGenerator<Check> {
  const { file, paths, secrets } = runtime.loaded();
  const dotenv = paths[1];
  const places = { home, secrets, ...(file !== undefined && { file }), ...(dotenv !== undefined && { dotenv }) };
  const stored = await storeFailure(runtime);
  const { parts, ...status } = runtime.status();
  const now = Date.now();
  const checkOf = (kind: string) => parts.filter((part) => part.kind === kind).flatMap((part) => partCheck(part, now));

  yield* checkOf('configuration');
  yield await homeCheck(home);
  yield* exposedChecks(await findExposed(places), home);
  yield* stored === undefined
    ? checkOf('store')
    : [{ check: 'store', result: 'failed', detail: stored } satisfies Check];

  const limited = AbortSignal.any([signal, AbortSignal.timeout(N8N_MS)]);
  const asked = Object.entries(runtime.n8n.reached()).map(([name, settings]) => {
    const part = parts.find((one) => one.name === `n8n ${name}`);
    return n8nCheck(name, settings, limited, part);
  });
  for (const check of await Promise.all(asked)) {
    const part = parts.find(({ name }) => name === check.check);
    yield part ? withTimes(check, part, now) : check;
  }
  const off = Object.entries(runtime.config().mcpServers).flatMap(([name, { enabled }]) => (enabled ? [] : [name]));
  yield* serverChecks(status.backends, off);
  for (const part of parts) if (!looked.has(part.kind)) yield* partCheck(part, now);
  yield* notConnectedChecks(status.notConfigured);
}

/** Whether the store takes what is written: nothing may have been for a while. */
async function storeFailure({ store, redact }: Runtime): Promise<string | undefined> {
  try {
    await store.settings.put('doctor.asked', new Date().toISOString());
    return undefined;
  } catch (error) {
    return redact(messageOf(error));
  }
}

/** The same as lines, for a command in another process. */
export async function* checkLines(runtime: Runtime, home: string, signal: AbortSignal): AsyncGenerator<string> {
  for await (const check of checkRuntime(runtime, home, signal)) yield `${JSON.stringify(check)}\n`;
}
