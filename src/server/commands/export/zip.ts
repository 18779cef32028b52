import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  /** With slashes, whatever the platform. */
  readonly name: string;
  readonly content: string;
  /** Permissions, such as 0o755. */
  readonly mode: number;
}

/** Of the format: signatures, the version that can read it, and what made it (Unix, so that permissions count). */
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const NEEDED = 20;
const MADE_BY_UNIX = (3 << 8) | NEEDED;
const UTF8_NAMES = 1 << 11;
const DEFLATED = 8;
/** The same entries give the same file, so every entry is of the first day that the format knows: 1980-01-01. */
const FIRST_DAY = (1 << 5) | 1;
const REGULAR_FILE = 0o100_000;

/** A ZIP archive of a few small files. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, mode } of entries) {
    const path = Buffer.from(name);
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain, { level: 9 });
    const shared = [UTF8_NAMES, DEFLATED, 0, FIRST_DAY];
    const sizes = [crc32(plain), packed.length, plain.length];

    const local = fields([4, LOCAL], [2, NEEDED, ...shared], [4, ...sizes], [2, path.length, 0]);
    files.push(local, path, packed);
    const attributes = ((REGULAR_FILE | mode) << 16) >>> 0;
    directory.push(
      fields(
        [4, CENTRAL],
        [2, MADE_BY_UNIX, NEEDED, ...shared],
        [4, ...sizes],
        [2, path.length, 0, 0, 0, 0],
        [4, attributes, offset],
      ),
      path,
    );
    offset += local.length + path.length + packed.length;
  }
  const index = Buffer.concat(directory);
  const count = entries.length;
  return Buffer.concat([...files, index, fields([4, END], [2, 0, 0, count, count], [4, index.length, offset], [2, 0])]);
}

/** Numbers in little-endian order: each list begins with how many bytes each of its numbers takes. */
function fields(...lists: readonly (readonly [bytes: number, ...values: number[]])[]): Buffer {
  return Buffer.concat(
    lists.flatMap(([bytes, ...values]) =>
      values.map((value) => {
        const field = Buffer.alloc(bytes);
        field.writeUIntLE(value, 0, bytes);
        return field;
      }),
    ),
  );
}
