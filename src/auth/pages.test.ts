import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { consentPage, destination, errorPage, pageHeaders } from './pages.ts';

it.each([
  ['https://claude.ai/api/mcp/auth_callback', 'claude.ai'],
  ['https://claude.ai.evil.example/api', 'claude.ai.evil.example'],
  ['https://claude.ai@evil.example/api', 'evil.example'],
  ['http://localhost:33418/callback', 'a program on this computer (localhost:33418)'],
  ['http://[::1]:1/callback', 'a program on this computer ([::1]:1)'],
  ['http://127.0.0.1.evil.example/callback', '127.0.0.1.evil.example'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'an app on this device (cursor://)'],
])('%s is shown as %s', (uri, words) => {
  expect(destination(uri)).toBe(words);
});

it('contains exactly the style its policy allows', () => {
  const html = errorPage('x', 'y');
  const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? '';
  expect(pageHeaders['content-security-policy']).toContain(`'sha256-${hash('sha256', style, 'base64')}'`);
});

it('escapes text', () => {
  const evil = '"><img src=x onerror=alert(1)>';
  const html = consentPage({
    action: evil,
    token: evil,
    asker: { name: evil, redirectUri: 'https://app.example/', publishedBy: evil },
    resource: evil,
    scopes: ['tools:read'],
    problem: evil,
  });
  expect(html).not.toContain('<img');
  expect(errorPage(evil, undefined)).not.toContain('<img');
});
