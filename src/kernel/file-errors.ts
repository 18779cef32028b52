/** What the file system's code says of a file or directory that was wanted, as the end of a sentence about it. */
export function fileTrouble(error: unknown): string {
  const { code, message } = Object(error) as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return 'does not exist';
    case 'EISDIR':
      return 'is a directory, not a file';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'is a file, or lies below one, where a directory is needed';
    case 'EACCES':
    case 'EPERM':
      return `may not be opened by this user (${code})`;
    default:
      return `cannot be opened (${code ?? message})`;
  }
}
