import { ASKED } from '../n8n/running/runner/align-runner.ts';
import { generatedIn } from '../n8n/generate/generated-in.ts';
import type { BridgeDeps } from './exposer.ts';
import { ownerOf } from '../n8n/generate/owner.ts';

const keyOf = (instance: string): string => `applied.${instance}`;

type ConsentDeps = Pick<BridgeDeps, 'records' | 'instances'> & {
  settings(instance: string): Pick<ReturnType<BridgeDeps['settings']>, 'apply'>;
};

/** Whether the user allows generated workflows in this n8n, by the configuration or by `bridge apply`. */
export async function mayGenerate(deps: ConsentDeps, instance: string): Promise<boolean> {
  const said = await deps.records.get(keyOf(instance));
  // After `bridge remove`, do not generate again by ourselves, even with `apply: auto`.
  if (said === false) return false;
  if (deps.settings(instance).apply === 'auto' || said === true) return true;
  if (typeof said !== 'string') return false;
  const client = deps.instances.get(instance);
  if (said === client.url) return true;
  // The URL changed. If it is the same n8n, our generated workflows are in it; if not, the user never agreed.
  const owner = await ownerOf(deps.records);
  const ours = await generatedIn(client, new AbortController().signal);
  // A runner that n8n_execute_workflow created is no consent to the bridge.
  if (!ours.some(({ mark }) => mark.owner === owner && mark.part !== ASKED)) return false;
  await deps.records.put(keyOf(instance), client.url);
  return true;
}

/** Stores the user's decision, together with the URL of the n8n it is for. */
export async function setConsent(deps: Pick<ConsentDeps, 'records' | 'instances'>, instance: string, given: boolean) {
  await deps.records.put(keyOf(instance), given && deps.instances.get(instance).url);
}
