import type { NodeDescription, Port } from '../description.ts';
import { inputsOf, outputsOf } from '../configuration/ports.ts';
import type { NodeSpec, PortForm } from './node-spec.ts';
import { textIn } from './text.ts';

/** Inputs and outputs of a node in this configuration; empty if they depend on parameters that are not set. */
export function portForms(
  description: NodeDescription,
  parameters: Readonly<Record<string, unknown>>,
  version: number,
): Pick<NodeSpec, 'input_ports' | 'output_ports'> {
  const inputs = inputsOf(description, parameters, version) ?? [];
  const outputs = outputsOf(description, parameters, version) ?? [];
  return {
    input_ports: inputs.map((port, at) => {
      const name = nameOf(port, description.inputNames, at);
      const main = port.type === 'main';
      const told: unknown = port.required;
      const required = told === undefined ? main && isRequired(description, at) : told === true;
      return form(port, name, required, main ? 'Items in' : `Takes ${port.type}`);
    }),
    output_ports: outputs.map((port, at) => {
      const name = nameOf(port, description.outputNames, at);
      return form(port, name, false, port.type === 'main' ? 'Items out' : `Attaches as ${port.type}`);
    }),
  };
}

/** `requiredInputs` is a count or a list of indexes. If it is an expression or missing, only the first input is required. */
function isRequired({ requiredInputs }: NodeDescription, at: number): boolean {
  if (typeof requiredInputs === 'number') return at < requiredInputs;
  return Array.isArray(requiredInputs) ? requiredInputs.includes(at) : at === 0;
}

const nameOf = ({ type, displayName }: Port, names: unknown, at: number): string =>
  textIn(displayName) ?? (Array.isArray(names) ? textIn(names[at]) : undefined) ?? type;

function form(port: Port, name: string, required: boolean, what: string): PortForm {
  const { type, maxConnections, filter } = port;
  const only = Array.isArray(filter?.nodes) && filter.nodes.length <= 5 ? `, of ${filter.nodes.join(', ')}` : '';
  return {
    name,
    type,
    required,
    description: `${what}${only}`,
    ...(typeof maxConnections === 'number' && { max_connections: maxConnections }),
  };
}
