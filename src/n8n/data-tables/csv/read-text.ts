import { AppError } from '../../../kernel/errors.ts';
import { createCsvCheck } from './check.ts';
import { type CsvTarget, readHeadings } from './headings.ts';
import { createCsvParser, CsvError, type CsvRecord, delimiterIn } from './parse.ts';

/** Reads a whole CSV and checks every record. */
export function readCsv(csv: string, target: CsvTarget, delimiter?: string) {
  const records = recordsIn(csv, delimiter ?? delimiterIn(csv));
  const [header, ...rest] = records;
  if (!header) throw new AppError('invalid_input', 'The CSV is empty. Its first line must hold the headings.');
  const headings = readHeadings(header.fields, target);
  const check = createCsvCheck(headings, target.matchOn);
  for (const record of rest) check.see(record);
  return { headings, ...check.finish(), records: rest };
}

function recordsIn(csv: string, delimiter: string): CsvRecord[] {
  const parser = createCsvParser(delimiter);
  try {
    const records = parser.push(csv);
    for (const record of parser.end()) records.push(record);
    return records;
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error;
  }
}

export const unreadable = ({ line, message }: CsvError): AppError =>
  new AppError('invalid_input', `The CSV cannot be read: line ${line}: ${message}. Nothing was written.`);
