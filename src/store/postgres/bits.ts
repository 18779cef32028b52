/** Bytes as PostgreSQL writes bits: 0s and 1s. */
export const bitsOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
