import type { Cells } from '../../client/data-tables.ts';

/** As much as is held in memory at once. n8n stores the rows of a batch together or not at all. */
const BATCH = { rows: 5000, characters: 4_000_000 };

/** Rows in groups. */
export async function* batchesOf(
  rows: Iterable<Cells> | AsyncIterable<Cells>,
): AsyncGenerator<readonly Cells[], void, undefined> {
  let batch: Cells[] = [];
  let characters = 0;
  for await (const row of rows) {
    const size = JSON.stringify(row).length;
    if (batch.length >= BATCH.rows || (batch.length > 0 && characters + size > BATCH.characters)) {
      yield batch;
      [batch, characters] = [[], 0];
    }
    batch.push(row);
    characters += size;
  }
  if (batch.length > 0) yield batch;
}
