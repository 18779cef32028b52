import type { Catalogue } from '../catalogue.ts';
import { specFor } from '../curated/registry.ts';
import type { Known } from '../lookup/lookup-index.ts';
import { curatedOpening, curatedParameters, curatedSchemas } from './curated.ts';
import type { Wanted } from './node-details.ts';
import { type Prepared, prepared } from './prepared.ts';

/** Details from Sluice's own text only, if n8n's description of the node is unavailable. */
export function curatedAlone(
  catalogue: Catalogue,
  { type, subtype, node }: Known,
  { include_examples, include_schemas, resource, operation }: Omit<Wanted, 'version'>,
  told: readonly string[],
): Prepared | { error: string } {
  const spec = specFor(type, subtype);
  if (!spec)
    return { error: `${node.name} is only described in the catalogue of n8n's nodes, which is not available.` };
  const { nodes, connections } = spec.fragment(catalogue);
  const narrowed = resource !== undefined || operation !== undefined;
  const warnings = [
    ...told,
    ...(narrowed
      ? [
          "The parameters of each resource and operation are only in the catalogue of n8n's nodes, which is not available.",
        ]
      : []),
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
