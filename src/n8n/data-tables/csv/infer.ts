import type { ColumnType } from '../../client/data-tables.ts';
import { instantIn } from '../cell.ts';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Every number of so many digits is kept as it is written. */
const MOST_DIGITS = 15;
const BOOLEAN = /^(?:true|false)$/i;

/** Finds the type that all values of a column have. Numbers with leading zeros or many digits stay texts. */
export function createInference() {
  let type: ColumnType | undefined;
  return {
    see(text: string | null): void {
      if (text === null || type === 'string') return;
      const bare = text.trim();
      if (bare === '') return;
      const here = typeOf(bare);
      type = type === undefined || type === here ? here : 'string';
    },
    type: (): ColumnType => type ?? 'string',
  };
}

function typeOf(text: string): ColumnType {
  if (text.length > 40) return 'string';
  if (NUMBER.test(text)) return text.replace(/\D/g, '').length > MOST_DIGITS ? 'string' : 'number';
  if (BOOLEAN.test(text)) return 'boolean';
  return instantIn(text) === undefined ? 'string' : 'date';
}
