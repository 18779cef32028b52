import { readEndpointStates } from './ai-tools/endpoint-state.ts';
import type { OwnRecords } from '../n8n/generate/records.ts';
import { readKept, runsKey } from './run/kept.ts';

/** Whether any tools of an n8n were listed when the bridge last ran. */
export async function listedBefore(get: OwnRecords['get'], instance: string): Promise<boolean> {
  const { endpoints = [] } = (await readEndpointStates(get)).get(instance) ?? {};
  return endpoints.length > 0 || readKept(await get(runsKey(instance))).length > 0;
}
