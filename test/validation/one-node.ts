import { type Circumstances, flow, node } from './case.ts';

/** A valid workflow around one node under test. */
export function one(
  type: string,
  typeVersion: number,
  parameters: Record<string, unknown>,
  more: Record<string, unknown> = {},
) {
  return flow([node('Start', 'manualTrigger', 1), node('It', type, typeVersion, parameters, more)], ['Start -> It']);
}

/** The path of a parameter of that node. */
export function at(...names: readonly (string | number)[]): string {
  return ['/nodes/1/parameters', ...names].join('/');
}

/** For nodes of services: ignore their missing credentials. */
export const alone: Circumstances = { groups: ['structure', 'parameters'] };
