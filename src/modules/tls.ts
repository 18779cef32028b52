import { readFile } from 'node:fs/promises';
import { AppError } from '../kernel/errors.ts';
import { fileTrouble } from '../kernel/file-errors.ts';
import { isPem } from '../kernel/pem.ts';
import type { CommonSettings } from './settings.ts';

/** For `tls.connect`, `https.request` and the drivers, which all take these. */
export interface Tls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized: boolean;
}

type TlsSettings = Pick<CommonSettings, 'ca' | 'cert' | 'key' | 'insecure'>;

/** Reads the certificates of a section; undefined if it names none. */
export async function tlsOf({ ca, cert, key, insecure }: TlsSettings, name: string): Promise<Tls | undefined> {
  if (ca === undefined && cert === undefined && key === undefined && !insecure) return undefined;
  const pem = async (of: 'ca' | 'cert' | 'key', given: string | undefined) =>
    given === undefined ? {} : { [of]: isPem(given) ? given : await read(given, `modules.${name}.${of}`) };
  return {
    rejectUnauthorized: !insecure,
    ...(await pem('ca', ca)),
    ...(await pem('cert', cert)),
    ...(await pem('key', key)),
  };
}

async function read(path: string, setting: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new AppError('unavailable', `${setting}: ${path} ${fileTrouble(error)}. Correct the path.`, { cause: error });
  }
}
