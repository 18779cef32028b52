import { AppError } from '../../kernel/errors.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { CredentialNeed, Property } from '../description.ts';
import type { CredentialMeant, OptionSource } from './option-values.ts';
import { needsNoCredential } from './source.ts';

/** Refuses a credential that the node does not take, before any request to the service. */
export function assertTaken(
  node: string,
  needs: readonly CredentialNeed[],
  { id, type }: CredentialMeant,
): CredentialNeed {
  const need = needs.find(({ name }) => name === type);
  if (need) return need;
  const taken = needs.map(({ name }) => name);
  throw new AppError(
    'invalid_input',
    `Credential ${id} is of type ${type}, which ${node} does not take. It takes ${taken.slice(0, 6).join(', ') || 'none'}; n8n_list_credentials { type } shows your credentials.`,
  );
}

/** If a node takes several credential types, a parameter selects one. The given credential implies its value. */
export function parametersFor(need: CredentialNeed | undefined): Record<string, unknown> {
  const show = Object.entries(need?.displayOptions?.show ?? {});
  return Object.fromEntries(
    show.flatMap(([name, [value]]) =>
      /^[\w]+$/.test(name) && ['string', 'number', 'boolean'].includes(typeof value) ? [[name, value]] : [],
    ),
  );
}

/** If the list comes from a service, throws which credential is missing. */
export function assertCredential(
  node: string,
  needs: readonly CredentialNeed[],
  property: Property,
  source: OptionSource,
): void {
  if (source.by === 'workflows' || (source.by === 'fields' && source.local) || needsNoCredential(property)) return;
  const required = needs.filter((need) => need.required);
  if (required.length === 0) return;
  const types = [...new Set(required.map(({ name }) => name))];
  throw new AppError(
    'invalid_input',
    `These values come from the service. Set "credential" to the id of a credential of type ${types.slice(0, 5).join(' or ')}. n8n_list_credentials { type: "${types[0]}" } shows the ids.`,
  );
}

/** Adds the defaults of top-level parameters that are not set: lookups read them. */
export function withDefaults(
  properties: readonly Property[],
  given: Readonly<Record<string, unknown>>,
  { shows }: Pick<Configuration, 'shows'>,
): Record<string, unknown> {
  const parameters = new Map(Object.entries(given));
  for (const property of properties) {
    const { name, default: preset } = property;
    if (preset === undefined || parameters.has(name) || !shows(property)) continue;
    parameters.set(name, preset);
  }
  return Object.fromEntries(parameters);
}

/** The parameter's value after choosing this option, in the form n8n stores. */
export function asSet(property: Property, source: OptionSource, value: unknown, name: string): unknown {
  if (source.by === 'fields') return { mappingMode: 'defineBelow', value: { [String(value)]: '' } };
  if (source.by !== 'search' && source.by !== 'workflows') return property.type === 'multiOptions' ? [value] : value;
  const list = property.modes?.find((mode) => mode.typeOptions?.searchListMethod !== undefined)?.name ?? 'list';
  return { __rl: true, mode: list, value, cachedResultName: name };
}
