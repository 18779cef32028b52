import { UsageError } from '../../../cli/frame.ts';
import { textIn } from '../../../cli/values.ts';
import type { Values } from '../../../kernel/command.ts';

/** The character that --delimiter means. */
export async function delimiterGiven(values: Values): Promise<string | undefined> {
  const { delimiterInput } = await import('../../data-tables/csv/delimiter.ts');
  const read = delimiterInput.optional().safeParse(textIn(values, 'delimiter'));
  if (read.success) return read.data;
  throw new UsageError(`--delimiter ${read.error.issues[0]?.message}`);
}
