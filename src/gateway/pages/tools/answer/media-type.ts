/** Images that cannot run anything. SVG and HTML can, so they are files like any other. */
const harmless: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/bmp', 'bmp'],
]);

const endings: ReadonlyMap<string, string> = new Map([
  ...harmless,
  ['image/svg+xml', 'svg'],
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['audio/webm', 'webm'],
  ['application/pdf', 'pdf'],
  ['application/zip', 'zip'],
  ['application/json', 'json'],
  ['text/plain', 'txt'],
  ['text/csv', 'csv'],
]);

const bare = (mime: string): string => mime.split(';')[0]?.trim().toLowerCase() ?? '';

export const isPicture = (mime: string): boolean => harmless.has(bare(mime));

/** A file name for a type; `bin` says nothing about it. */
export const fileName = (name: string, mime: string): string => `${name}.${endings.get(bare(mime)) ?? 'bin'}`;

/** An address that shows this picture; undefined if the data is no base64 or the type is none of these. */
export function pictureAddress(mime: string, data: string): string | undefined {
  if (!isPicture(mime)) return undefined;
  return `data:${bare(mime)};base64,${data.replaceAll(/[^A-Za-z0-9+/=]/g, '')}`;
}

/** About as many bytes as this base64 stands for. */
export const bytesIn = (data: string): number => Math.floor((data.length * 3) / 4);
