import { AppError } from '../../kernel/errors.ts';
import type { Catalogue, NodeSummary } from '../catalogue.ts';
import { findNode } from './corrections.ts';
import type { NodeDescription } from '../description.ts';

export interface NodeMeant {
  readonly node: NodeSummary;
  readonly version: number;
  readonly description: NodeDescription;
  /** Says what was corrected. */
  readonly warning?: string;
}

/** The node and version a caller names. If there is none, throws an error that says what to do. */
export function nodeMeant(catalogue: Catalogue, text: string, version?: number): NodeMeant {
  const lookup = findNode(catalogue, text);
  if ('error' in lookup) throw new AppError('not_found', lookup.error);
  const { node } = lookup.found;
  const wanted = version ?? node.latest;
  const description = node.versions.includes(wanted) ? catalogue.description(node.name, wanted) : undefined;
  if (!description) {
    throw new AppError(
      'not_found',
      `${node.name} has no version ${wanted}. It has ${node.versions.join(', ')}; leave "version" out for ${node.latest}.`,
    );
  }
  return { node, version: wanted, description, ...(lookup.warning !== undefined && { warning: lookup.warning }) };
}
