import type { Port } from '../../nodes/description.ts';
import { inputsOf, outputsOf, withErrorOutput } from '../../nodes/configuration/ports.ts';
import { pointer } from '../json/json-pointer.ts';
import { own } from '../json/record.ts';
import type { Field, NodeView } from './subject.ts';

/** The visible fields of a node in its configuration, with their pointers. */
export function fieldsOf(node: NodeView): readonly Field[] {
  const base = pointer(node.pointer, 'parameters');
  const fields = node.configuration()?.fields() ?? [];
  return fields.map((field) => ({ ...field, pointer: pointer(base, ...field.path) }));
}

export function inputPorts(node: NodeView): readonly Port[] | undefined {
  const { description, parameters } = node;
  return description && inputsOf(description, parameters, versionOf(node));
}

/** Includes the error output, if the node has one. */
export function outputPorts(node: NodeView): readonly Port[] | undefined {
  const { description, parameters, raw } = node;
  const outputs = description && outputsOf(description, parameters, versionOf(node));
  return outputs && own(raw, 'onError') === 'continueErrorOutput' ? withErrorOutput(outputs) : outputs;
}

/** n8n uses the latest version if the node has none. */
export function versionOf({ version, summary }: Pick<NodeView, 'version' | 'summary'>): number {
  return version ?? summary?.latest ?? 1;
}
