import type { OwnRecords } from './records.ts';

/** Identifies this Sluice: it must not change what another one generated in the same n8n. */
export async function ownerOf(records: OwnRecords): Promise<string> {
  return (await records.secret('owner')).toString('hex').slice(0, 10);
}
