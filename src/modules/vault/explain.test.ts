import { expect, test } from 'vitest';
import { HttpError } from '../http.ts';
import { type Asked, explain } from './explain.ts';

const said = (status: number, body: string, method: Asked['method'] = 'GET', headers = {}) =>
  explain(new HttpError(status, body, headers), { at: 'vault at v:8200', method, path: ['secret', 'data', 'app'] });
const errors = (...all: string[]) => JSON.stringify({ errors: all });

test.each([
  [
    403,
    errors('permission denied'),
    'forbidden',
    /read secret\/data\/app.*path "secret\/data\/app" \{ capabilities = \["read"\]/,
  ],
  [404, errors(), 'not_found', /nothing at secret\/data\/app/],
  [404, '', 'not_found', /nothing at/],
  [404, '<html></html>', 'unavailable', /does not answer as Vault.*modules\.vault\.url/],
  [401, '<html></html>', 'unavailable', /does not answer as Vault/],
  [
    404,
    errors('no handler for route "x". route entry not found.'),
    'not_found',
    /no secrets engine at.*vault_list_mounts/,
  ],
  [400, errors('missing client token'), 'unavailable', /got no token/],
  [400, errors('check-and-set parameter did not match the current version'), 'conflict', /nothing was written/],
  [400, errors('check-and-set parameter required for this call'), 'conflict', /Pass cas/],
  [
    400,
    errors('1 error occurred:\n\t* something is wrong\n\n'),
    'invalid_input',
    /refuses the request: something is wrong\. Change/,
  ],
  [400, errors('Upgrading from non-versioned to versioned data.'), 'unavailable', /still preparing/],
  [400, '', 'invalid_input', /it gives no reason/],
  [405, errors('unsupported operation'), 'unsupported', /not a KV engine/],
  [412, errors('required index state not present'), 'unavailable', /caught up/],
  [413, errors('request body too large'), 'too_large', /too large/],
  [500, errors('internal error'), 'unavailable', /HTTP 500: internal error/],
  [501, '{}', 'unavailable', /not initialized/],
  [503, errors('Vault is sealed'), 'unavailable', /is sealed/],
  [502, '<html></html>', 'unavailable', /HTTP 502\. Its log/],
] as const)('%i %s', (status, body, code, message) => {
  const error = said(status, body);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(/^vault at v:8200 /);
  expect(error.message).toMatch(message);
});

test.each([
  ['LIST', /list secret.*\["list"\]/],
  ['POST', /write secret.*\["create", "update"\]/],
  ['PATCH', /patch secret.*\["patch"\]/],
  ['DELETE', /delete secret.*\["delete"\]/],
] as const)('what a policy lacks for %s', (method, message) => {
  expect(said(403, errors('permission denied'), method).message).toMatch(message);
});

test('a redirect names the host, and no more of the address', () => {
  const { message } = said(307, '', 'GET', { location: 'https://active:8200/v1/x?token=abc' });
  expect(message).toContain('redirects to active:8200.');
  expect(message).not.toContain('abc');
});
