/** One word of a POSIX shell: within single quotes, nothing has a meaning but the quote itself. */
export const inShell = (text: string): string =>
  /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
