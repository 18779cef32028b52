import { ASKED } from '../n8n/running/runner/align-runner.ts';
import { generatedIn } from '../n8n/generate/generated-in.ts';
import type { BridgeDeps } from './exposer.ts';
import { ownerOf } from '../n8n/generate/owner.ts';

const keyOf = (instance: string): string => `applied.${instance}`;

type ConsentDeps = Pick<BridgeDeps, 'records' | 'instances'> & {
  settings(instance: string): Pick<ReturnType<BridgeDeps['settings']>, 'apply'>;
};

/** Whether the user has said that workflows may be generated in this n8n: in the configuration, or by applying the plan. */
export async function mayGenerate(deps: ConsentDeps, instance: string): Promise<boolean> {
  const said = await deps.records.get(keyOf(instance));
  // Whoever removed what was generated does not want it back by itself, whatever the configuration says.
  if (said === false) return false;
  if (deps.settings(instance).apply === 'auto' || said === true) return true;
  if (typeof said !== 'string') return false;
  const client = deps.instances.get(instance);
  if (said === client.url) return true;
  // Another n8n under the same name was never agreed to; the same one at another address has things of ours.
  const owner = await ownerOf(deps.records);
  const ours = await generatedIn(client, new AbortController().signal);
  // A runner that a call asked for is no word about the bridge.
  if (!ours.some(({ mark }) => mark.owner === owner && mark.part !== ASKED)) return false;
  await deps.records.put(keyOf(instance), client.url);
  return true;
}

/** Remembers what the user said, and of which n8n. */
export async function setConsent(deps: Pick<ConsentDeps, 'records' | 'instances'>, instance: string, given: boolean) {
  await deps.records.put(keyOf(instance), given && deps.instances.get(instance).url);
}
