import { messageOf } from '../../kernel/errors.ts';
import type { Catalogue } from '../catalogue.ts';
import { specFor, specOfNode } from '../curated/registry.ts';
import type { CuratedSpec } from '../curated/spec.ts';
import type { Fragment } from '../fragments/fragment.ts';
import { fragmentFor } from '../fragments/fragment-for.ts';
import type { Known } from '../lookup/lookup-index.ts';
import type { Choice, Wish } from './choice.ts';
import { examplesInN8n } from './curated-examples.ts';
import { curatedOpening, curatedParameters, curatedSchemas, schemas } from './curated.ts';
import { type Derived, derived, type Narrowing } from './derived.ts';
import type { Both, NodeSpec } from './node-spec.ts';
import { withKeys } from './parameter.ts';
import { type Prepared, prepared } from './prepared.ts';
import { itemSchemas } from './item-schemas.ts';

export interface Wanted extends Narrowing {
  readonly include_examples: boolean;
  readonly include_schemas: boolean;
}

/**
 * The details of a node, in pieces. Requested as a curated subtype, it shows our own text; a resource, operation or version
 * replaces that with n8n's parameters, and detail `full` appends them. Requested by its n8n name, it shows n8n's
 * parameters, plus our fragment, examples and guidance if we have them for that operation.
 */
export function prepare(
  catalogue: Catalogue,
  found: Known,
  wanted: Wanted,
  told: readonly string[],
): Prepared | { error: string } {
  const { node } = found;
  const narrowed = wanted.resource !== undefined || wanted.operation !== undefined || wanted.version !== node.latest;
  const warnings = [...told];
  const ours = found.curated && !narrowed ? specFor(found.type, found.subtype) : undefined;
  const sample = found.curated || wanted.version !== node.latest ? undefined : sampleOf(catalogue, node.name);
  const isOpen = wanted.resource === undefined && wanted.operation === undefined && wanted.detail === 'essentials';
  const own = derived(catalogue, found, { ...wanted, ...(isOpen && sample?.does) });
  if ('error' in own) return own;
  warnings.push(...own.choice.warnings);
  const fitting = sample && doesSo(sample.does, own.choice.parameters) ? sample : undefined;
  let fragment = fitting?.fragment;
  try {
    fragment ??= ours
      ? ours.fragment(catalogue)
      : fragmentFor(catalogue, node.name, { ...own.choice.parameters }, wanted.version);
  } catch (error) {
    warnings.push(messageOf(error));
  }
  const guidance = ours ? undefined : (fitting?.spec.guidance ?? guidanceFor(own));
  return prepared({
    identity: { node_type: found.type, subtype: found.subtype, version: String(wanted.version) },
    n8n: { type: node.name, typeVersion: wanted.version, ...(fragment && { fragment: copied(fragment) }) },
    opening: {
      ...(ours ? { ...overview(own, ours), ...curatedOpening(ours) } : own.opening),
      ...(guidance !== undefined && { guidance }),
      ...(wanted.include_schemas && schemasOf(own, ours ?? fitting?.spec, found)),
      ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    },
    parameters: parameters(own, ours && curatedParameters(ours), wanted, found),
    // n8n has no examples; its fragment serves as one.
    ...(wanted.include_examples && {
      examples: fitting
        ? examplesInN8n(fitting.spec, fitting.fragment)
        : (ours?.examples ?? []).map((example) => ({ ...example })),
    }),
    curated: ours !== undefined && wanted.detail === 'essentials',
    once: found.curated !== true,
  });
}

interface Sample {
  readonly spec: CuratedSpec;
  readonly fragment: Fragment;
  /** The resource and operation that the fragment sets. */
  readonly does: Wish;
}

/** Our own text for a node, and the operation it is about. */
function sampleOf(catalogue: Catalogue, name: string): Sample | undefined {
  const spec = specOfNode(name);
  if (!spec) return undefined;
  let fragment: Fragment;
  try {
    fragment = addressed(spec.fragment(catalogue));
  } catch {
    // This n8n lacks a node of the fragment: use only n8n's description.
    return undefined;
  }
  const { resource, operation } = fragment.nodes.find(({ type }) => type === name)?.parameters ?? {};
  return {
    spec,
    fragment,
    does: {
      ...(typeof resource === 'string' && { resource }),
      ...(typeof operation === 'string' && { operation }),
    },
  };
}

/** Gives the webhook a unique path: a fragment is used more than once, and two live workflows cannot share a path. */
const addressed = ({ nodes, connections }: Fragment): Fragment => ({
  nodes: nodes.map((node) =>
    node.webhookId === undefined || typeof node.parameters.path !== 'string'
      ? node
      : { ...node, parameters: { ...node.parameters, path: node.webhookId } },
  ),
  connections,
});

const doesSo = ({ resource, operation }: Wish, { resource: chosen, operation: doing }: Choice['parameters']): boolean =>
  (resource === undefined || resource === chosen) && (operation === undefined || operation === doing);

/** What the reader would otherwise learn only from an error of n8n. */
function guidanceFor({
  opening: { credentials = [] },
  parameters: shown,
  needsCredential,
}: Derived): string | undefined {
  const listed = shown.filter(({ parameter: { required, type } }) => required && type === 'resourceLocator');
  const sentences = [
    needsCredential && `Needs a credential: ${credentials.join(' or ')}.`,
    listed.length > 0 &&
      `With a credential, get_node_options lists the values of ${listed.map(({ key }) => key).join(' and ')}.`,
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Input and output schemas; for curated subtypes also their default values. */
function schemasOf(own: Derived, spec: CuratedSpec | undefined, { curated }: Known): Partial<NodeSpec> {
  const all = spec ? curatedSchemas(spec) : schemas(...itemSchemas(own.opening));
  if (curated) return all;
  const { input_params_schema = {}, output_params_schema = {} } = all;
  return { input_params_schema, output_params_schema };
}

/** Other resources or operations of the node. Not for HUMAN_IN_THE_LOOP, which works only as the whole fragment. */
function overview(
  { opening: { resources, operations, credentials = [] } }: Derived,
  { type }: CuratedSpec,
): Partial<NodeSpec> {
  if (type === 'HUMAN_IN_THE_LOOP') return { credentials };
  return { ...(resources ? { resources } : operations && { operations }), credentials };
}

function parameters(
  own: Derived,
  ours: readonly Both[] | undefined,
  { detail }: Wanted,
  { curated }: Known,
): readonly Both[] {
  if (!ours) return curated || detail === 'full' ? own.parameters : own.parameters.filter((both) => !isSaid(own, both));
  return detail === 'full' ? withKeys([...ours, ...own.parameters]) : ours;
}

/** Already listed in `resources`, `operations` and `chosen`. */
const isSaid = ({ opening: { resources, operations } }: Derived, { key }: Both): boolean =>
  (key === 'resource' && resources !== undefined) || (key === 'operation' && operations !== undefined);

const copied = ({ nodes, connections }: Fragment) => ({
  nodes: nodes.map((one) => ({ ...one })),
  connections: { ...connections },
});
