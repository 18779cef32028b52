import type { Node } from '../../client/shapes.ts';
import { cleanTexts, type Tell } from './clean-texts.ts';

const options = { secrets: true, hosts: false };

/** A node for people to look at: with stand-ins for the secrets that somebody typed into it, also into its notes. */
export function cleanNode(node: Node, tell: Tell): Node {
  const { name, type, parameters, notes } = node;
  const isNote = type === 'n8n-nodes-base.stickyNote';
  return {
    ...node,
    parameters: cleanTexts(parameters, name, { ...options, isNote }, tell),
    ...(typeof notes === 'string' && { notes: cleanTexts(notes, name, { ...options, isNote: true }, tell) }),
  };
}
