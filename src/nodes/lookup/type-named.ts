import { type NodeType, nodeTypes } from '../taxonomy/taxonomy.ts';
import { loose } from './loose.ts';

/** Recognises a type however it is written: `ACTION_NODE`, `action`, `external-action`. */
export function typeNamed(text: string): NodeType | undefined {
  const folded = loose(withoutSuffix(text));
  return nodeTypes.find((type) => loose(type) === folded);
}

/** A type or subtype without the suffix that other catalogues of nodes have. */
export const withoutSuffix = (text: string): string => text.replace(/[\s_-]NODE$/i, '');
