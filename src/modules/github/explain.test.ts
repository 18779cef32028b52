import { expect, test } from 'vitest';
import { HttpError } from '../http.ts';
import { explain } from './explain.ts';

const question = {
  path: 'repos/acme/shop',
  at: 'github at api.github.com',
  setting: 'modules.github',
  isAnonymous: false,
};
const said = (status: number, body: unknown, headers: Record<string, string> = {}, isAnonymous = false) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { code, message } = explain(new HttpError(status, text, headers), { ...question, isAnonymous });
  return `${code}: ${message}`;
};

test('a wrong token, and none where one is needed', () => {
  expect(said(401, { message: 'Bad credentials' })).toMatch(/^unavailable: .*Bad credentials.*modules\.github\.token/);
  expect(said(401, { message: 'Requires authentication' }, {}, true)).toMatch(/^forbidden: .*needs a token/);
});

test('a missing permission is named', () => {
  const message = 'Resource not accessible by personal access token';
  expect(said(403, { message }, { 'x-accepted-github-permissions': 'contents=write; metadata=read' })).toMatch(
    /^forbidden: .*needs the permission contents=write or metadata=read/,
  );
  const scopes = { 'x-accepted-oauth-scopes': 'repo', 'x-oauth-scopes': 'read:user' };
  expect(said(403, { message: 'No' }, scopes)).toContain('needs one of the scopes repo; it has read:user');
  expect(said(403, { message }, { 'x-accepted-oauth-scopes': 'repo' })).toContain('lacks the right');
  expect(said(403, { message: 'No' }, {}, true)).toContain('only what is public');
});

test('single sign-on is explained without its URL', () => {
  const sso = { 'x-github-sso': 'required; url=https://github.com/orgs/acme/sso?authorization_request=AZSCKL' };
  const text = said(403, { message: 'Resource protected by organization SAML enforcement.' }, sso);
  expect(text).toMatch(/^forbidden: .*Configure SSO/);
  expect(text).not.toContain('AZSCKL');
});

test('what is missing may be private', () => {
  expect(said(404, { message: 'Not Found' })).toMatch(/^not_found: .*has no repos\/acme\/shop.*hides what is private/);
  expect(said(404, { message: 'Not Found' }, {}, true)).toMatch(/only what is public/);
});

test('validation errors are spelled out', () => {
  const errors = [
    { resource: 'Issue', field: 'title', code: 'missing_field' },
    { resource: 'Release', field: 'tag_name', code: 'already_exists' },
    { resource: 'Label', code: 'missing' },
    { resource: 'Issue', field: 'labels', code: 'invalid' },
    { resource: 'PullRequest', code: 'custom', message: 'No commits between main and main' },
    { code: 'odd' },
    'a plain text',
  ];
  expect(said(422, { message: 'Validation Failed', errors })).toBe(
    'invalid_input: github at api.github.com refuses it: Validation Failed; Issue.title is missing; Release.tag_name is already taken; Label does not exist; Issue.labels is not valid; No commits between main and main; odd; a plain text. Change the call and try again.',
  );
  expect(said(422, { message: 'Validation Failed', errors: 'just so' })).toContain('just so');
});

test('conflicts, outages, and what is not GitHub', () => {
  expect(said(409, { message: 'Git Repository is empty.' })).toMatch(/^conflict: .*github_put_file/);
  expect(said(405, { message: 'Base branch was modified.' })).toMatch(/^conflict: /);
  expect(said(410, { message: 'Issues are disabled for this repo' })).toMatch(/^not_found: /);
  expect(said(502, { message: 'Server Error' })).toMatch(/^unavailable: .*githubstatus/);
  expect(said(502, '<html>Bad gateway</html>')).toMatch(/^unavailable: .*HTTP 502/);
  expect(said(404, '<html>nginx</html>')).toMatch(/^unavailable: .*not GitHub's API.*modules\.github\.url/);
  expect(said(302, '', { location: 'https://login.example.com/' })).toMatch(/^unavailable: .*redirects/);
  expect(said(418, { message: 'teapot' })).toMatch(/^invalid_input: /);
});
