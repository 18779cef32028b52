import { sentences } from '../kernel/nearest-names.ts';
import { mayGenerate } from './consent.ts';
import type { BridgeDeps } from './exposer.ts';

const CONSENT =
  'Sluice may not generate workflows in n8n yet: run `sluice bridge apply`, or set SLUICE_BRIDGE_APPLY=auto.';

/** What is missing before AI tools of this n8n can be used, and who provides it. */
export async function lackingFor(
  deps: Pick<BridgeDeps, 'instances' | 'records' | 'settings' | 'health'>,
  instance: string,
): Promise<string | undefined> {
  if (!deps.instances.names().includes(instance))
    return `No n8n is called "${instance}" in the configuration. Correct "instance" in the file.`;
  const { detail = '', fix = '' } = deps.health().find(({ name }) => name === `n8n ${instance}`) ?? {};
  // While n8n cannot be asked, nobody knows that consent is missing.
  const isAllowed = await mayGenerate(deps, instance).catch(() => true);
  const lacking = [deps.instances.get(instance).hasKey ? '' : sentences(`${detail}.`, fix), isAllowed ? '' : CONSENT];
  return sentences(...lacking) || undefined;
}
