import { type Both, type NodeSpec, nodeSpec, type Parameter } from './node-spec.ts';

/**
 * Everything there is to say of a node, in pieces that fill pages. The pieces are text: members of JSON objects that are
 * only put side by side when somebody asks. The whole satisfied its schema when it was made, and so does every page.
 */
export interface Prepared {
  /** Who it is: on every page. */
  readonly identity: string;
  /** What is said once, at the beginning. */
  readonly opening: Piece;
  /** What n8n calls it, on the pages that follow: the opening says it with the fragment. */
  readonly later: Piece;
  /** In the opening; each reader gets other ones. */
  readonly ids: readonly string[];
  /** What follows, the most needed first. */
  readonly pieces: readonly Piece[];
  /** Whether examples are wanted, be there any or not. */
  readonly withExamples: boolean;
  /** Told in our own words: short enough for one answer. */
  readonly curated?: boolean;
  /** Each parameter is told once, in a list; in our own words it is told as those know it who asked before n8n's names counted. */
  readonly once?: boolean;
  /** There is nothing to say but why. */
  readonly failed?: boolean;
}

export interface Piece {
  readonly bytes: number;
  /** Members of the node itself. */
  readonly members?: string;
  /** One parameter: in the older form, in the newer one, and its default. */
  readonly parameter?: readonly [older: string, newer: string, value: string];
}

export interface Parts {
  readonly identity: Omit<NodeSpec, 'n8n'>;
  readonly n8n?: NonNullable<NodeSpec['n8n']>;
  readonly opening: Partial<NodeSpec>;
  readonly parameters?: readonly Both[];
  /** Undefined: not wanted. */
  readonly examples?: NonNullable<NodeSpec['examples']>;
  readonly curated?: boolean;
  readonly once?: boolean;
}

/** How much a reply grows by this: it is said as data, and once more as text inside the message. */
export function bytesOf(value: unknown): number {
  const json = JSON.stringify(value) ?? '';
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** The pieces of a node that is described by these parts. */
export function prepared({ identity, n8n, opening, parameters = [], examples, curated, once }: Parts): Prepared {
  const failed = opening.error !== undefined;
  nodeSpec.parse({
    ...identity,
    ...opening,
    ...(n8n && { n8n }),
    ...(!failed && {
      parameters: parameters.map((both) => (once ? inOne(both) : both.parameter)),
      ...(!once && {
        configurations: Object.fromEntries(parameters.map(({ key, configuration }) => [key, configuration])),
        default_configurations: {},
      }),
    }),
    ...(examples && { examples }),
  });
  const { fragment, ...named } = n8n ?? {};
  const shown = examples && examples.length > 0 ? [membersPiece({ examples }, {})] : [];
  return {
    identity: members(identity),
    opening: membersPiece(n8n ? { n8n, ...opening } : opening, identity),
    later: membersPiece(n8n ? { n8n: named } : {}, identity),
    ids: (fragment?.nodes ?? []).flatMap(({ id, webhookId }) =>
      [id, webhookId].filter((one) => typeof one === 'string'),
    ),
    pieces: once ? [...shown, ...parameters.map(piece)] : [...parameters.map(parameterPiece), ...shown],
    withExamples: examples !== undefined,
    ...(curated === true && { curated }),
    ...(once === true && { once }),
    ...(failed && { failed }),
  };
}

const members = (of: object): string => JSON.stringify(of).slice(1, -1);

const membersPiece = (of: object, besides: object): Piece => ({
  bytes: bytesOf({ ...besides, ...of }),
  members: members(of),
});

/** Everything that both forms say. */
function inOne({ parameter: { name, validation_pattern }, configuration }: Both): Parameter {
  const { default: value, options, description, type, required, ...more } = configuration;
  return {
    name,
    type,
    required,
    ...(value !== undefined && { default_value: value }),
    description,
    ...(options && { enum_values: options }),
    ...(validation_pattern !== undefined && { validation_pattern }),
    ...more,
  };
}

function piece(both: Both): Piece {
  const parameter = inOne(both);
  return { bytes: bytesOf(parameter), parameter: [JSON.stringify(parameter), '', ''] };
}

function parameterPiece({ key, parameter, configuration, withDefault }: Both): Piece {
  const { default: value } = configuration;
  const named = `${JSON.stringify(key)}:`;
  const hasDefault = withDefault && value !== undefined;
  return {
    bytes: bytesOf([parameter, key, configuration, ...(hasDefault ? [key, value] : [])]),
    parameter: [
      JSON.stringify(parameter),
      named + JSON.stringify(configuration),
      hasDefault ? named + JSON.stringify(value) : '',
    ],
  };
}
