import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '../../../kernel/errors.ts';
import { fileTrouble } from '../../../kernel/file-errors.ts';
import { createCsvParser, CsvError, type CsvRecord, delimiterIn } from '../../data-tables/csv/parse.ts';
import { unreadable } from '../../data-tables/csv/read-text.ts';

/** A larger piece becomes a large object of V8, which it collects late: that costs 100 MB. */
const CHUNK = 64 * 1024;

export interface CsvFile extends AsyncDisposable {
  readonly bytes: number;
  /** All records in groups, the header first; as often as wanted. `tell` gets the bytes that were read. */
  records(tell: (bytes: number) => void): AsyncGenerator<readonly CsvRecord[], void, undefined>;
  /** Throws a ChangedFile if somebody wrote to the file since it was opened. */
  assertSame(): Promise<void>;
}

/** Somebody wrote to the file after it was checked. */
export class ChangedFile extends AppError {}

/** A CSV file that is read in pieces. */
export async function openCsv(cwd: string, name: string, delimiter: string | undefined): Promise<CsvFile> {
  const path = resolve(cwd, name);
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw new AppError('invalid_input', `${path} ${fileTrouble(error)}.`, { cause: error });
  });
  const first = await handle.stat();
  if (!first.isFile()) {
    await handle.close();
    throw new AppError('invalid_input', `${path} is not a file. It is read twice, so it cannot be a pipe.`);
  }
  return {
    bytes: first.size,
    records: (tell) => recordsIn(handle, name, delimiter, tell),
    async assertSame() {
      const now = await handle.stat();
      if (now.size === first.size && now.mtimeMs === first.mtimeMs) return;
      throw new ChangedFile('conflict', `${name} was changed while it was read.`);
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function* recordsIn(
  handle: FileHandle,
  name: string,
  delimiter: string | undefined,
  tell: (bytes: number) => void,
): AsyncGenerator<readonly CsvRecord[], void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const buffer = Buffer.alloc(CHUNK);
  let parser: ReturnType<typeof createCsvParser> | undefined;
  let [at, line] = [0, 1];
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, at);
      const text = decoder.decode(buffer.subarray(0, bytesRead), { stream: bytesRead > 0 });
      at += bytesRead;
      parser ??= createCsvParser(delimiter ?? delimiterIn(text));
      const records = parser.push(text);
      if (bytesRead === 0) records.push(...parser.end());
      tell(at);
      line = records.at(-1)?.line ?? line;
      yield records;
      if (bytesRead === 0) return;
    }
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(error);
    if ((error as { code?: string }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    const from = await encodingOf(handle);
    throw new AppError(
      'invalid_input',
      `${name} is not UTF-8 (after line ${line}). Save it as "CSV UTF-8", or convert it: iconv -f ${from} -t UTF-8. Nothing was written.`,
    );
  }
}

/** What a file that is not UTF-8 most likely is. Spreadsheets begin UTF-16 with a byte order mark. */
async function encodingOf(handle: FileHandle): Promise<string> {
  const mark = Buffer.alloc(2);
  await handle.read(mark, 0, 2, 0);
  return ['fffe', 'feff'].includes(mark.toString('hex')) ? 'UTF-16' : 'WINDOWS-1252';
}
