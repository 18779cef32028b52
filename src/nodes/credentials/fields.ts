import type { Catalogue } from '../catalogue.ts';
import type { CredentialType, Property } from '../description.ts';

/** One value that a type of credential holds. */
export interface CredentialField {
  readonly name: string;
  readonly title: string;
  readonly type: string;
  readonly required?: true;
  /** It is kept encrypted and never shown again. */
  readonly secret?: true;
  readonly default?: unknown;
  readonly options?: readonly (string | number | boolean)[];
  /** Only asked for beside these values. */
  readonly when?: Readonly<Record<string, readonly unknown[]>>;
}

/** What is shown in n8n's window but holds no value. */
const wordsOnly = new Set(['notice', 'callout', 'button', 'hidden']);

/** The values to be given for a type, those of the types it extends included; what a type settles itself is left out. */
export function credentialFields(catalogue: Catalogue, type: CredentialType): CredentialField[] {
  const byName = new Map<string, Property[]>();
  for (const one of lineage(catalogue, type)) {
    // The nearer type has the last word on a field.
    for (const [name, properties] of Map.groupBy(one.properties, (property) => property.name))
      byName.set(name, properties);
  }
  const all = [...byName.values()].flat();
  // A hidden field is what the type has settled: fields for another way of doing it are never asked for.
  const settled = new Map(
    all.flatMap(({ name, type: kind, default: preset }) => (kind === 'hidden' ? [[name, preset]] : [])),
  );
  return all
    .filter(({ type: kind }) => !wordsOnly.has(kind))
    .map(fieldOf)
    .flatMap(({ when, ...field }) => {
      const conditions = Object.entries(when ?? {});
      const isMet = ([name, values]: [string, readonly unknown[]]) => values.includes(settled.get(name));
      if (conditions.some((one) => settled.has(one[0]) && one[1].every(isPlain) && !isMet(one))) return [];
      const open = conditions.filter(([name]) => !settled.has(name));
      return [{ ...field, ...(open.length > 0 && { when: Object.fromEntries(open) }) }];
    });
}

const isPlain = (value: unknown): boolean => typeof value !== 'object';

/** The farthest ancestor first; a circle ends where it closes. */
function lineage(catalogue: Catalogue, type: CredentialType, seen = new Set<string>()): CredentialType[] {
  if (seen.has(type.name)) return [];
  seen.add(type.name);
  const parents = (type.extends ?? []).flatMap((name) => catalogue.credentialType(name) ?? []);
  return [...parents.flatMap((parent) => lineage(catalogue, parent, seen)), type];
}

function fieldOf({
  name,
  displayName,
  type,
  required,
  default: preset,
  options,
  typeOptions,
  displayOptions,
}: Property): CredentialField {
  const choices = options?.flatMap((option) => ('value' in option ? [option.value] : []));
  const empty =
    preset === undefined ||
    preset === '' ||
    (typeof preset === 'object' && preset !== null && Object.keys(preset).length === 0);
  return {
    name,
    title: displayName,
    type,
    ...(required && { required }),
    ...(typeOptions?.password === true && { secret: true as const }),
    ...(!empty && { default: preset }),
    ...(choices && choices.length > 0 && { options: choices }),
    ...(displayOptions?.show && { when: displayOptions.show }),
  };
}
