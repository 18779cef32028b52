import { describe, expect, it, test } from 'vitest';
import { HttpError } from '../http.ts';
import { badQuery, explain } from './explain.ts';

const question = {
  path: '/api/v1/query',
  query: 'rate(x[5m)',
  at: 'prometheus at p:9090',
  setting: 'modules.prometheus',
};
const refused = (status: number, body: unknown, asked = question) =>
  explain(new HttpError(status, typeof body === 'string' ? body : JSON.stringify(body), {}), asked);

describe('an error in PromQL', () => {
  it('is shown with its place', () => {
    const error = 'invalid parameter "query": 1:10: parse error: unexpected ")" in subquery selector, expected ":"';
    const { code, message } = refused(400, { status: 'error', errorType: 'bad_data', error });
    expect(code).toBe('invalid_input');
    expect(message).toBe(
      'PromQL error in line 1, column 10, near `rate(x[5m)`: unexpected ")" in subquery selector, expected ":". Correct the query.',
    );
  });

  it('may be at the end, or without a place', () => {
    expect(badQuery('1:5: parse error: unexpected end of input', 'sum(')).toContain('column 5, near `sum(`');
    expect(badQuery('2:1: parse error: x', 'sum(')).toContain('line 2, column 1, at the end: x.');
    expect(badQuery('invalid parameter "start": cannot parse "x"', undefined)).toBe(
      'Prometheus refuses the request: cannot parse "x". Change it and try again.',
    );
  });
});

test.each([
  [422, { errorType: 'execution', error: 'found duplicate series' }, 'invalid_input', 'found duplicate series.'],
  [503, { errorType: 'timeout', error: 'query timed out' }, 'timeout', 'took too long'],
  [503, 'Service Unavailable', 'unavailable', 'HTTP 503: Service Unavailable. It may be starting'],
  [401, 'no', 'unavailable', 'Correct the user and password in modules.prometheus.url'],
  [403, '', 'unavailable', 'modules.prometheus.token'],
  [302, '<html>', 'unavailable', 'redirects to another address'],
  [404, '404 page not found', 'unavailable', 'Correct modules.prometheus.url'],
  [429, { error: 'too many outstanding requests' }, 'rate_limited', 'too many outstanding requests.'],
  [502, '<html>Bad gateway</html>', 'unavailable', 'HTTP 502: it gives no reason.'],
])('HTTP %d with %j is %s', (status, body, code, text) => {
  const error = refused(status, body);
  expect(error.code).toBe(code);
  expect(error.message).toContain(text);
});

it('says that a server lacks a part of the API', () => {
  const error = refused(404, 'not found', { ...question, path: '/api/v1/status/tsdb' });
  expect(error.code).toBe('unsupported');
  expect(error.message).toContain('does not offer /api/v1/status/tsdb');
});

it('hides credentials in what a server says', () => {
  expect(refused(500, 'Get "http://ann:hunter22@x/y?token=hunter33": EOF').message).not.toContain('hunter');
});

test('credentials in what it says are hidden, also where it is cut', () => {
  const body = `${'x'.repeat(580)} http://joe:pa55word-${'s'.repeat(40)}@a/`;
  expect(refused(500, body).message).not.toContain('pa55');
});
