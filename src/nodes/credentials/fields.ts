import type { Catalogue } from '../catalogue.ts';
import type { CredentialType, Property } from '../description.ts';

/** One field of a credential type. */
export interface CredentialField {
  readonly name: string;
  readonly title: string;
  readonly type: string;
  readonly required?: true;
  /** n8n stores it encrypted and never shows it again. */
  readonly secret?: true;
  readonly default?: unknown;
  readonly options?: readonly (string | number | boolean)[];
  /** Needed only if other fields have these values. */
  readonly when?: Readonly<Record<string, readonly unknown[]>>;
}

/** Property types that n8n's editor shows but that hold no value. */
const wordsOnly = new Set(['notice', 'callout', 'button', 'hidden']);

/** The fields to fill in for a type, including inherited ones, without those the type sets itself. */
export function credentialFields(catalogue: Catalogue, type: CredentialType): CredentialField[] {
  const byName = new Map<string, Property[]>();
  for (const one of lineage(catalogue, type)) {
    // A derived type overrides the fields of its ancestors.
    for (const [name, properties] of Map.groupBy(one.properties, (property) => property.name))
      byName.set(name, properties);
  }
  const all = [...byName.values()].flat();
  // A hidden field has a fixed value. Fields that depend on another value of it are never needed.
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

/** The type and its ancestors, oldest first. Cycles are cut. */
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
