import { type Circumstances, flow, node } from './case.ts';

/** A workflow that is all right around the one node whose parameters matter. */
export function one(
  type: string,
  typeVersion: number,
  parameters: Record<string, unknown>,
  more: Record<string, unknown> = {},
) {
  return flow([node('Start', 'manualTrigger', 1), node('It', type, typeVersion, parameters, more)], ['Start -> It']);
}

/** The place of a parameter of that node. */
export function at(...names: readonly (string | number)[]): string {
  return ['/nodes/1/parameters', ...names].join('/');
}

/** For nodes of services, which want credentials: that they lack them is not the point. */
export const alone: Circumstances = { groups: ['structure', 'parameters'] };
