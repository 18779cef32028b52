import { describe, expect, test } from 'vitest';
import { explain, Lost, loginRefused, NoSocket, refused } from './explain.ts';

const at = 'uptimekuma at 127.0.0.1:3001';
const login = (said: string) => loginRefused(said, at, 'modules.uptimekuma');

describe('a refused login', () => {
  test.each(['authIncorrectCreds', 'Incorrect username or password.'])('%s is a wrong password', (said) => {
    expect(login(said).message).toContain('Correct modules.uptimekuma.username and modules.uptimekuma.password');
  });
  test.each(['authInvalidToken', 'Invalid token.'])('%s is an old token', (said) => {
    expect(login(said).message).toContain('modules.uptimekuma.token');
  });
  test.each(['authUserInactiveOrDeleted', 'The user is inactive or deleted.'])('%s names the user', (said) => {
    expect(login(said).message).toContain('inactive or deleted');
  });
  test('too many logins say when to try again', () => {
    const error = login('Too frequently, try again later.');
    expect(error.code).toBe('rate_limited');
    expect(error.message).toMatch(/Try again in 60 s \(after \d{4}-/);
  });
});

describe('a refused question', () => {
  test.each([
    ['You are not logged in.', 'unavailable'],
    ['You do not own this monitor.', 'forbidden'],
    ['Interval cannot be less than 20 seconds', 'invalid_input'],
  ])('%s is %s', (said, code) => {
    expect(refused(said, at)).toMatchObject({ code });
  });
});

test('an error of the database shows no statement', () => {
  const statement = "insert into `monitor` (`name`, `rabbitmq_password`) values ('x', 's3cret') - ";
  const missing = refused(`${statement}SQLITE_ERROR: table monitor has no column named rabbitmq_password`, at);
  expect(missing).toMatchObject({ code: 'unsupported', message: expect.stringContaining('has no rabbitmq_password') });
  const other = refused(`${statement}SQLITE_CONSTRAINT: NOT NULL constraint failed: monitor.name`, at);
  expect(other.message).toContain('refuses this: SQLITE_CONSTRAINT: NOT NULL');
  for (const { message } of [missing, other, refused(`${statement}s3cret`, at)])
    expect(message).not.toContain('s3cret');
});

describe('the connection', () => {
  test.each([
    ['Unexpected server response: 404', 'WebSocket (HTTP 404)'],
    ['Unexpected server response: 401', 'a proxy before it'],
    ['Unexpected server response: 302', 'redirects'],
    ['Unexpected server response: 502', 'try again in a moment'],
    ['parse error', 'does not open a WebSocket.'],
  ])('%s', (said, text) => {
    expect(explain(new NoSocket(said), at)?.message).toContain(text);
  });
  test('a lost one can be tried again; a flood cannot', () => {
    expect(explain(new Lost('transport close'), at)).toMatchObject({ code: 'unavailable' });
    expect(explain(new Lost('Max payload size exceeded'), at)).toMatchObject({ code: 'too_large' });
    expect(explain(new Error('other'), at)).toBeUndefined();
  });
});
