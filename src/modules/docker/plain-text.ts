/** Text of a terminal as plain text: no colours, and a sign for bytes that are no characters. */
export const plainText = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replace(/\u001b\[[\d;?]{0,20}[A-Za-z]/g, '')
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd');
