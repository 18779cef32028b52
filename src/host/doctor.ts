import { messageOf } from '../kernel/errors.ts';
import { type Check, partCheck } from './check.ts';
import type { Loaded } from './config/load.ts';
import { exposedChecks, homeCheck, notConnectedChecks } from './doctor-checks.ts';
import type { Opened } from './open.ts';
import { findExposed, placesOf } from './permissions.ts';
import type { Health } from '../kernel/health.ts';
import type { Store } from '../store/store.ts';

export interface Patient {
  readonly home: string;
  readonly store: Store;
  readonly opened: Opened;
  loaded(): Loaded;
  /** Health of what is no part. */
  own(): { readonly host: readonly Health[]; readonly store: Health };
  redact(text: string): string;
}

/** Everything a gateway can check about itself, in its own process and with its own environment. */
export async function* examine(patient: Patient, signal: AbortSignal): AsyncGenerator<Check> {
  const { home, opened } = patient;
  const now = Date.now();
  const stored = await storeFailure(patient);
  const { host, store } = patient.own();
  yield* host.flatMap((health) => partCheck(health, now));
  yield await homeCheck(home);
  yield* exposedChecks(await findExposed(placesOf(home, patient.loaded())), home);
  if (stored === undefined) yield* partCheck(store, now);
  else yield { check: 'store', result: 'failed', detail: stored };
  for (const { part } of opened.open)
    yield* part.check ? await part.check(signal) : (part.health?.() ?? []).flatMap((health) => partCheck(health, now));
  yield* notConnectedChecks(opened.all.absent());
}

/** Tests whether the store accepts writes. Nothing may have been written for a while. */
async function storeFailure({ store, redact }: Patient): Promise<string | undefined> {
  try {
    await store.settings.put('doctor.asked', new Date().toISOString());
    return undefined;
  } catch (error) {
    return redact(messageOf(error));
  }
}
