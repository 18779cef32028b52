import type { Edge } from '../subject/subject.ts';
import { couldGive, gives, inputsOfKind, outputsOfKind, takes } from './ports-of.ts';

/** For example, an agent that is connected to its model. */
export function isWrongWayRound({ source, target, kind }: Edge): boolean {
  return (
    kind !== 'main' && gives(source, kind) === false && gives(target, kind) === true && takes(source, kind) === true
  );
}

/** `regular-node-as-tool` reports it. */
export function isRegularNodeAsTool({ source, target, kind }: Edge): boolean {
  const outputs = source.outputs();
  return (
    kind === 'ai_tool' &&
    takes(target, kind) !== false &&
    outputs !== undefined &&
    outputs.length > 0 &&
    outputs.every(({ type }) => type === 'main') &&
    !couldGive(source, kind)
  );
}

/** The node has inputs of this kind, but not this one. */
export function isBeyond({ target, kind, targetKind, input }: Edge): boolean {
  if (kind !== targetKind) return false;
  const inputs = inputsOfKind(target, kind);
  return inputs !== undefined && inputs.length > 0 && input >= inputs.length;
}

/** `error-output-off` reports it. */
export function isErrorOutput({ source, kind, output }: Edge): boolean {
  if (kind !== 'main' || source.trigger || source.raw['onError'] === 'continueErrorOutput') return false;
  const outputs = outputsOfKind(source, kind);
  // A node with variable outputs more likely lost one of them.
  return outputs?.length === 1 && output === 1 && typeof source.description?.outputs !== 'string';
}
