import type { Catalogue, NodeSummary } from '../catalogue.ts';
import { type Configuration, configured } from '../configuration/configuration.ts';
import type { DisplayOptions, NodeDescription, Property } from '../description.ts';
import type { Known } from '../lookup/lookup-index.ts';
import { chosen, type Choice, type Wish } from './choice.ts';
import type { Both, NodeSpec } from './node-spec.ts';
import { essential, parameterForms, whole, withKeys } from './parameter.ts';
import { portForms } from './port-forms.ts';
import { shortened, textIn } from './text.ts';
import { isSet, walk } from './walk.ts';

type Values = Readonly<Record<string, unknown>>;

export interface Derived {
  readonly opening: Partial<NodeSpec>;
  readonly parameters: readonly Both[];
  readonly choice: Choice;
  /** Whether n8n requires a credential for this choice. */
  readonly needsCredential: boolean;
}

export interface Narrowing extends Wish {
  readonly detail: 'essentials' | 'full';
  readonly version: number;
}

/** Details from n8n's own description, for the chosen resource and operation. */
export function derived(
  catalogue: Catalogue,
  { type, node }: Known,
  narrowing: Narrowing,
): Derived | { error: string } {
  const { version, detail } = narrowing;
  const description = catalogue.description(node.name, version) as NodeDescription;
  const choice = chosen(description, version, narrowing);
  if ('error' in choice) return choice;
  const narrowed = narrowing.resource !== undefined || narrowing.operation !== undefined;
  const configuration = filledIn(description, choice.parameters, version);
  const visible = configuration.properties().filter(isSet);
  const parameters =
    detail === 'essentials'
      ? ordered(
          visible.map((property) =>
            parameterForms({ path: property.name, property: offered(property, configuration), within: [] }, essential),
          ),
        )
      : [...walk(narrowed ? visible : description.properties)].map((placed) => parameterForms(placed, whole));
  const settable = description.properties.filter(isSet).length;
  const hidden = detail === 'full' && !narrowed ? 0 : settable - visible.length;
  return {
    choice,
    needsCredential: (description.credentials ?? []).some(
      (credential) => credential.required === true && configuration.shows(credential),
    ),
    parameters: withKeys(parameters.map((both) => withChoice(both, choice))),
    opening: {
      description: shortened(textIn(description.description) ?? node.description, 300),
      ...(choice.resources && { resources: [...choice.resources] }),
      ...(choice.operations && { operations: [...choice.operations] }),
      ...(Object.keys(choice.parameters).length > 0 && { chosen: choice.parameters }),
      ...(hidden > 0 && { hidden_parameters: hidden }),
      ...portForms(description, choice.parameters, version),
      credentials: credentialsOf(description),
      tags: tagsOf(node, description),
      ...(type === 'AI_AGENT' && { attached_nodes: [] }),
    },
  };
}

/** The configuration with placeholders in required fields: some parameters, such as a sheet's columns, appear only then. */
function filledIn(description: NodeDescription, parameters: Values, version: number): Configuration {
  const set: Record<string, unknown> = { ...parameters };
  for (;;) {
    const configuration = configured(description, set, version);
    const empty = configuration
      .properties()
      .find((property) => !Object.hasOwn(set, property.name) && isEmpty(property));
    if (!empty) return configuration;
    set[empty.name] = empty.type === 'resourceLocator' ? { __rl: true, mode: 'id', value: 'x' } : 'x';
  }
}

function isEmpty({ type, required, default: value }: Property): boolean {
  if (!required || (type !== 'resourceLocator' && type !== 'string')) return false;
  const start = (value as { value?: unknown } | null | undefined)?.value ?? value;
  return start === '' || start === undefined || typeof start === 'object';
}

/** A property with only the options and fields that apply to the chosen operation. */
function offered(property: Property, { shows }: Configuration): Property {
  const { options = [], type } = property;
  if (type === 'fixedCollection' || !options.some((option) => 'displayOptions' in option)) return property;
  // Keep fields of a collection that depend on sibling fields: those are not known yet.
  const known = (option: object) => type !== 'collection' || fromTop((option as Property).displayOptions);
  return { ...property, options: options.filter((option) => !known(option) || shows(option as Property)) };
}

const fromTop = ({ show = {}, hide = {} }: DisplayOptions = {}): boolean =>
  [...Object.keys(show), ...Object.keys(hide)].every((key) => /^[/@]/.test(key));

/** Shows the chosen value as the default. Alternatives are left out if `resources` or `operations` already lists them. */
function withChoice(both: Both, { parameters, resources, operations }: Choice): Both {
  const { key, parameter, configuration } = both;
  if (!Object.hasOwn(parameters, key)) return both;
  const value = parameters[key];
  const { enum_values, ...brief } = parameter;
  const isSaid = (key === 'resource' && resources) || (key === 'operation' && operations);
  return {
    ...both,
    parameter: { ...brief, default_value: value, ...(!isSaid && enum_values && { enum_values }) },
    configuration: { ...configuration, default: value },
  };
}

/** Required parameters first, then resource and operation, then n8n's order. */
function ordered(list: readonly Both[]): Both[] {
  const rank = ({ key, parameter }: Both) =>
    parameter.required ? 0 : key === 'resource' ? 1 : key === 'operation' ? 2 : 3;
  return [...list].sort((a, b) => rank(a) - rank(b));
}

const credentialsOf = ({ credentials = [] }: NodeDescription): string[] => [
  ...new Set(credentials.map(({ name }) => name)),
];

function tagsOf({ usableAsTool, trigger, community }: NodeSummary, { codex }: NodeDescription): string[] {
  const lists: unknown[] = [codex?.categories, codex?.alias].flat();
  const words = lists.flatMap((word) => textIn(word)?.toLowerCase() ?? []);
  const facts = [trigger && 'trigger', usableAsTool && 'usable as tool', community && 'community'];
  return [...new Set([...facts.filter((fact) => fact !== false), ...words])].slice(0, 8);
}
