/** Whether a setting is a certificate or key itself, and not the path of a file with one. */
export const isPem = (given: string): boolean => given.trimStart().startsWith('-----BEGIN');
