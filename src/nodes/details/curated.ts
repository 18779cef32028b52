import type { Configuration, CuratedSpec, Field, PortSpec } from '../curated/spec.ts';
import type { Both, NodeSpec, PortForm, SchemaField } from './node-spec.ts';
import { essential } from './parameter.ts';
import { shortened } from './text.ts';

/** A curated text in the form of get_node_details. */
export function curatedOpening(spec: CuratedSpec): Partial<NodeSpec> {
  return {
    description: spec.description,
    input_ports: spec.inputPorts.map(portForm),
    output_ports: spec.outputPorts.map(portForm),
    tags: [...spec.tags],
    ...(spec.type === 'AI_AGENT' && { attached_nodes: [...(spec.attachedNodes ?? [])] }),
    guidance: spec.guidance,
  };
}

export function curatedSchemas(spec: CuratedSpec): Partial<NodeSpec> {
  return schemas(fields(spec.inputParams), fields(spec.outputParams));
}

/** Input and output schemas with their default values. */
export function schemas(input: Record<string, SchemaField>, output: Record<string, SchemaField>): Partial<NodeSpec> {
  return {
    input_params_schema: input,
    output_params_schema: output,
    default_input_params: defaults(input),
    default_output_params: defaults(output),
  };
}

export function curatedParameters(spec: CuratedSpec): Both[] {
  const list = Object.entries(spec.configurations).map(([key, configuration]) => forms(key, configuration));
  return list.sort((a, b) => Number(b.parameter.required) - Number(a.parameter.required));
}

function forms(key: string, { type, description, required = false, options, ...more }: Configuration): Both {
  const pattern = more.validationPattern !== undefined && { validation_pattern: more.validationPattern };
  return {
    key,
    withDefault: true,
    parameter: {
      name: key,
      type,
      required,
      ...(more.default !== undefined && { default_value: more.default }),
      description: shortened(description, essential.briefly),
      ...(options && { enum_values: options }),
      ...pattern,
    },
    configuration: {
      type,
      ...(more.default !== undefined && { default: more.default }),
      description,
      required,
      ...(more.min !== undefined && { min: more.min }),
      ...(more.max !== undefined && { max: more.max }),
      ...(options && { options }),
      ...pattern,
      ...(more.at !== undefined && { at: more.at }),
    },
  };
}

const fields = (given: Readonly<Record<string, Field>>): Record<string, SchemaField> =>
  Object.fromEntries(
    Object.entries(given).map(([name, { type, description, required, default: value }]) => [
      name,
      {
        type,
        description,
        ...(required !== undefined && { required }),
        ...(value !== undefined && { default: value }),
      },
    ]),
  );

function portForm({ name, type, required, description, maxConnections }: PortSpec): PortForm {
  return {
    name,
    type,
    required,
    description,
    ...(maxConnections !== undefined && { max_connections: maxConnections }),
  };
}

const empty = new Map<string, unknown>([
  ['string', ''],
  ['integer', 0],
  ['float', 0],
  ['boolean', false],
  ['object', {}],
  ['array', []],
]);

const defaults = (given: Record<string, SchemaField>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([name, { type, default: value }]) => [name, value ?? empty.get(type) ?? null]),
  );
