import type { Catalogue } from '../catalogue.ts';
import { specFor } from '../curated/registry.ts';
import type { Known } from '../lookup/lookup-index.ts';
import { curatedOpening, curatedParameters, curatedSchemas } from './curated.ts';
import type { Wanted } from './node-details.ts';
import { type Prepared, prepared } from './prepared.ts';

/** What we say of a subtype ourselves, where nothing is known of what n8n says of its node. */
export function curatedAlone(
  catalogue: Catalogue,
  { type, subtype, node }: Known,
  { include_examples, include_schemas, resource, operation }: Omit<Wanted, 'version'>,
  told: readonly string[],
): Prepared | { error: string } {
  const spec = specFor(type, subtype);
  if (!spec) return { error: `Nothing is known of ${node.name} without a catalogue of n8n's nodes.` };
  const { nodes, connections } = spec.fragment(catalogue);
  const narrowed = resource !== undefined || operation !== undefined;
  const warnings = [
    ...told,
    ...(narrowed ? ["The parameters of each resource and operation are in the catalogue of n8n's nodes only."] : []),
  ];
  return prepared({
    identity: { node_type: type, subtype, version: String(node.latest) },
    n8n: {
      type: node.name,
      typeVersion: node.latest,
      fragment: { nodes: nodes.map((one) => ({ ...one })), connections: { ...connections } },
    },
    opening: {
      ...curatedOpening(spec),
      ...(include_schemas && curatedSchemas(spec)),
      ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    },
    parameters: curatedParameters(spec),
    ...(include_examples && { examples: spec.examples.map((example) => ({ ...example })) }),
    curated: true,
  });
}
