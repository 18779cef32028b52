/** Makes `HTTP Request`, `http-request` and `httpRequest` equal. */
export const loose = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
