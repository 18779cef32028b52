import type { OwnRecords } from './records.ts';

/** Which Sluice we are: what another one generated in the same n8n is not ours to change. */
export async function ownerOf(records: OwnRecords): Promise<string> {
  return (await records.secret('owner')).toString('hex').slice(0, 10);
}
