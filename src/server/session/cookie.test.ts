import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCookies } from './cookie.ts';

const secret = randomBytes(32);
const DAY = 24 * 3_600_000;

/** What the browser sends back. */
const sent = (header: string): string => header.split(';')[0] as string;
const nameIn = (header: string): string => header.split('=')[0] as string;

describe('the cookie of a session', () => {
  it('brings back what was written, and nothing of it can be read', () => {
    const cookies = createCookies(secret);
    const { header, held } = cookies.write({ credential: 'slc_secret' }, false);
    expect(header).not.toContain('slc_secret');
    expect(Buffer.from(sent(header).split('=')[1] as string, 'base64url').toString('latin1')).not.toContain('slc_');
    expect(cookies.read(`other=1; ${sent(header)}; last=x=y`)).toEqual(held);
    expect(held).toMatchObject({ credential: 'slc_secret' });
  });

  it('is for scripts of no page and for no other site, and secure where the page is', () => {
    const cookies = createCookies(secret);
    expect(cookies.write({}, false).header).toMatch(/; Max-Age=604800; HttpOnly; SameSite=Strict$/);
    expect(cookies.write({}, true).header).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
    expect(cookies.clear(true)).toMatch(/^sluice_[\da-f]{8}=; Max-Age=0; HttpOnly; SameSite=Strict; Secure$/);
  });

  it('does not count if a single character was changed', () => {
    const cookies = createCookies(secret);
    const [name, value = ''] = sent(cookies.write({ owner: 'proof' }, false).header).split('=');
    for (const at of [0, 15, 20, 40, value.length - 1]) {
      const other = value[at] === 'A' ? 'B' : 'A';
      expect(cookies.read(`${name}=${value.slice(0, at)}${other}${value.slice(at + 1)}`), `at ${at}`).toBeUndefined();
    }
    for (const wrong of ['', 'x', '{}', value.slice(0, 20), `${value}AAAA`, '%00'])
      expect(cookies.read(`${name}=${wrong}`), wrong).toBeUndefined();
    expect(cookies.isIn(`${name}=x`)).toBe(true);
  });

  it('does not count after a week', () => {
    let now = Date.now();
    const cookies = createCookies(secret, () => now);
    const { header } = cookies.write({ credential: 'k' }, false);
    now += 7 * DAY - 1;
    expect(cookies.read(sent(header))).toBeDefined();
    now += 1;
    expect(cookies.read(sent(header))).toBeUndefined();
  });

  it('of another gateway on this host has another name, and does not count under this one', () => {
    const [here, there] = [createCookies(secret), createCookies(randomBytes(32))];
    const [mine, theirs] = [here.write({}, false).header, there.write({}, false).header];
    expect(nameIn(theirs)).not.toBe(nameIn(mine));
    expect(here.isIn(sent(theirs))).toBe(false);
    expect(here.read(`${nameIn(mine)}=${sent(theirs).split('=')[1]}`)).toBeUndefined();
    expect(here.read(`${sent(theirs)}; ${sent(mine)}`)).toBeDefined();
  });

  it('has a token of its own for changes', () => {
    const cookies = createCookies(secret);
    const [one, other] = [cookies.write({}, false).held, cookies.write({}, false).held];
    const asked = (token?: string | string[]) => ({ headers: { 'x-sluice-csrf': token } });
    expect(cookies.isOurs(asked(cookies.csrfOf(one)), one)).toBe(true);
    expect(cookies.isOurs(asked(cookies.csrfOf(other)), one)).toBe(false);
    for (const wrong of [undefined, '', 'x', one.id]) expect(cookies.isOurs(asked(wrong), one)).toBe(false);
  });
});
