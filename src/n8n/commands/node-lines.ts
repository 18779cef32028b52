import type { NodeSpec } from '../../nodes/details/node-spec.ts';

/** A node as a person reads it, the important things first. */
export function nodeLines(spec: NodeSpec): string[] {
  const { n8n, description, resources = [], operations = [], credentials = [], parameters = [], warning } = spec;
  const left = (spec.parameters_left ?? 0) + (spec.hidden_parameters ?? 0);
  return [
    `${n8n ? `${n8n.type}, version ${n8n.typeVersion}` : spec.subtype} (${spec.node_type}.${spec.subtype})`,
    ...(warning === undefined ? [] : [warning]),
    ...(description === undefined ? [] : [description]),
    ...listed('Resources', resources),
    ...listed('Operations', operations),
    ...listed('Credentials', credentials),
    '',
    ...parameters.flatMap(({ name, type, required, description: about, enum_values: choices }) => [
      `  ${name}  ${type}${required ? ', required' : ''}${about === '' ? '' : `  ${about}`}`,
      ...(choices && choices.length > 0 ? [`      one of ${choices.join(', ')}`] : []),
    ]),
    ...(left > 0 ? ['', `${left} more: --detail full, or --resource and --operation.`] : []),
  ];
}

const listed = (name: string, values: readonly unknown[]) =>
  values.length > 0 ? [`${name}: ${values.join(', ')}`] : [];
