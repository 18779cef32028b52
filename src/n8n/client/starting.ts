const SAID = 'n8n is starting up';

/** Until its database is ready n8n says this, with status 200, to whatever it is asked, and does nothing. */
export function saysItStarts(body: string | Uint8Array): boolean {
  return typeof body === 'string'
    ? body.startsWith(SAID)
    : Buffer.from(body.subarray(0, SAID.length)).toString() === SAID;
}
