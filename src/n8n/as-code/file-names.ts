/** Names of files, from names of workflows. Any file system can hold them, also one that ignores case. */

const LONGEST = 80;
/** File systems allow 255 bytes; a suffix and `.json` have to fit, too. */
const MOST_BYTES = 200;
/** On Windows, also with an extension. */
const RESERVED = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])$/;
const NUMBERED = /-\d{1,9}$/;

/** `Über uns: Rechnungen!` is `über-uns-rechnungen`. */
export function slugOf(name: string): string {
  const words = name
    .slice(0, 1000)
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-/, '');
  const slug = cut(words).replace(/-$/, '');
  if (slug === '') return 'workflow';
  return RESERVED.test(slug) ? `${slug}-workflow` : slug;
}

function cut(words: string): string {
  let kept = '';
  let [letters, bytes] = [0, 0];
  for (const letter of words) {
    bytes += Buffer.byteLength(letter);
    if (++letters > LONGEST || bytes > MOST_BYTES) break;
    kept += letter;
  }
  return kept;
}

/** Two names with the same key are the same file on some file system. */
export const fileKey = (file: string): string => file.normalize('NFC').toLowerCase();

/** A file for a workflow of this name that is not taken: `orders.json`, or `orders-2.json`. */
export function freeFile(name: string, isTaken: (key: string) => boolean): string {
  const slug = slugOf(name);
  for (let number = 1; ; number++) {
    const file = number === 1 ? `${slug}.json` : `${slug}-${number}.json`;
    if (!isTaken(fileKey(file))) return file;
  }
}

/** Whether Sluice named the file for a workflow of this name. A file that somebody named himself keeps its name. */
export function isNamedFor(file: string, name: string): boolean {
  const stem = fileKey(file).replace(/\.json$/, '');
  const slug = slugOf(name);
  return stem === slug || (stem.startsWith(`${slug}-`) && NUMBERED.test(stem) && stem.replace(NUMBERED, '') === slug);
}

/** Whether this can only be a file directly inside a folder. Side files come from git: anybody may have written them. */
export function isFileName(file: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return file.length <= 255 && /^[^./\\:\u0000-\u001f][^/\\:\u0000-\u001f]*\.json$/i.test(file);
}
