import type { Property } from '../description.ts';
import type { OptionSource } from './option-values.ts';

/** Where the choices of a parameter come from; undefined if they are fixed in the node or there are none. */
export function optionSource({ type, typeOptions = {}, modes = [] }: Property): OptionSource | undefined {
  const { loadOptionsMethod, loadOptions, resourceMapper } = typeOptions;
  if (type === 'workflowSelector') return { by: 'workflows' };
  if (type === 'resourceLocator') {
    const list = modes.find((mode) => typeof mode.typeOptions?.searchListMethod === 'string')?.typeOptions;
    if (!list) return undefined;
    return {
      by: 'search',
      method: list.searchListMethod as string,
      searchable: list.searchable === true,
      filterRequired: list.searchFilterRequired === true,
    };
  }
  if (type === 'resourceMapper') {
    const { resourceMapperMethod, localResourceMapperMethod } = Object(resourceMapper) as Record<string, unknown>;
    if (typeof localResourceMapperMethod === 'string')
      return { by: 'fields', method: localResourceMapperMethod, local: true };
    return typeof resourceMapperMethod === 'string'
      ? { by: 'fields', method: resourceMapperMethod, local: false }
      : undefined;
  }
  if (typeof loadOptionsMethod === 'string') return { by: 'method', method: loadOptionsMethod };
  return typeof loadOptions === 'object' && loadOptions !== null ? { by: 'request' } : undefined;
}

/** Some lists come from n8n itself and need no credential, even if the node takes one. */
export function needsNoCredential({ modes = [] }: Property): boolean {
  return modes.some((mode) => mode.typeOptions?.skipCredentialsCheckInRLC === true);
}

/** The parameters that the list depends on: their values must be known. */
export function dependsOn({ typeOptions = {} }: Property): string[] {
  const { loadOptionsDependsOn } = typeOptions;
  return Array.isArray(loadOptionsDependsOn)
    ? loadOptionsDependsOn
        .filter((one): one is string => typeof one === 'string')
        .map((one) => one.replace(/\.(value|mode)$/, ''))
    : [];
}
