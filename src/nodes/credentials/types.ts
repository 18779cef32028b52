import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { Catalogue } from '../catalogue.ts';
import { credentialFields } from './fields.ts';
import { type CredentialUse, credentialUse } from './use-table.ts';

const NODES_SHOWN = 3;
const NODES_OF_ONE = 40;
const OPTIONS_SHOWN = 20;

type Needs = NonNullable<ReturnType<Catalogue['description']>>['credentials'];

/** Every credential type, or those a node takes, in its order. */
export function typesOf(catalogue: Catalogue, needs: Needs | undefined) {
  const use = credentialUse(catalogue);
  if (!needs) {
    return catalogue
      .credentialTypes()
      .map(({ name, displayName }) => row(name, displayName, use.get(name), NODES_SHOWN));
  }
  return needs.map(({ name, displayName, required, displayOptions }) => ({
    ...row(name, catalogue.credentialType(name)?.displayName ?? displayName ?? name, use.get(name), NODES_SHOWN),
    ...(required && { required }),
    ...(displayOptions?.show && { when: mutable(displayOptions.show) }),
  }));
}

/** Names that start with the query first; within those, generic types first. */
export function found<T extends { name: string; title: string; generic?: boolean }>(
  rows: readonly T[],
  query: string,
): T[] {
  const begins = (text: string) => text.toLowerCase().startsWith(query);
  const rank = ({ name, title, generic }: T) => (begins(name) || begins(title) ? 0 : 2) + (generic ? 0 : 1);
  return rows
    .filter(({ name, title }) => `${name} ${title}`.toLowerCase().includes(query))
    .toSorted((a, b) => rank(a) - rank(b));
}

export function oneType(catalogue: Catalogue, name: string) {
  const type = catalogue.credentialType(name);
  if (!type) {
    const near = nearestNames(
      name,
      catalogue.credentialTypes().map((one) => one.name),
    );
    const advice = didYouMean(near, 'list_credential_types { query } finds types by a part of the name.');
    throw new AppError('not_found', `There is no credential type ${shown(name)}. ${advice}`);
  }
  const fields = credentialFields(catalogue, type).map(({ options, when, ...field }) => ({
    ...field,
    ...(options && { options: options.slice(0, OPTIONS_SHOWN) }),
    ...(options && options.length > OPTIONS_SHOWN && { more_options: options.length - OPTIONS_SHOWN }),
    ...(when && { when: mutable(when) }),
  }));
  return {
    types: [row(type.name, type.displayName, credentialUse(catalogue).get(type.name), NODES_OF_ONE)],
    total: 1,
    fields,
    ...(/^https?:\/\//.test(type.documentationUrl ?? '') && { documentation: type.documentationUrl }),
  };
}

function row(name: string, title: string, use: CredentialUse | undefined, most: number) {
  const nodes = use?.nodes ?? [];
  return {
    name,
    title,
    nodes: nodes.slice(0, most),
    ...(nodes.length > most && { more_nodes: nodes.length - most }),
    ...(use?.generic && { generic: true }),
  };
}

const mutable = (conditions: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown[]> =>
  Object.fromEntries(Object.entries(conditions).map(([key, values]) => [key, [...values]]));
