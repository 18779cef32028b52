/** One word of a POSIX shell: within single quotes, nothing has a meaning but the quote itself. */
export const inShell = (text: string): string =>
  /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

// oxlint-disable-next-line no-control-regex -- a terminal obeys these also within quotes: ^C gives up the line, and goes on behind it
const OBEYED = /[\x00-\x1f\x7f-\x9f]/;

/** Whether a text from outside can be pasted into a terminal without doing anything there. */
export const canPaste = (text: string): boolean => !OBEYED.test(text);
