/** Describes a file system error, as the end of a sentence about the file or directory. */
export function fileTrouble(error: unknown): string {
  const { code, message } = Object(error) as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return 'does not exist';
    case 'EISDIR':
      return 'is a directory, not a file';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'is not a directory, or is inside a file';
    case 'EACCES':
    case 'EPERM':
      return `may not be opened by this user (${code})`;
    default:
      return `cannot be opened (${code ?? message})`;
  }
}

/** Volumes of containers have to belong to these numbers, whatever the user is called. */
export function thisUser(): string {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined ? 'this user' : `this user (${uid}:${gid})`;
}
