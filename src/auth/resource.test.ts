import { describe, expect, it } from 'vitest';
import {
  challenge,
  comparable,
  describedPath,
  metadataUrl,
  ownResource,
  protectedResource,
  resourceOf,
} from './resource.ts';

const base = 'https://sluice.example.com';

describe('resourceOf', () => {
  it.each([
    ['/mcp', `${base}/mcp`],
    ['/mcp/', `${base}/mcp`],
    ['/mcp/ops', `${base}/mcp/ops`],
    ['/mcp/ops?expose=flat', `${base}/mcp/ops`],
    ['/sse', `${base}/sse`],
    ['/message', `${base}/sse`],
    ['/ws', `${base}/mcp`],
    ['/ws/ops', `${base}/mcp/ops`],
    ['/ws/ops?expose=flat', `${base}/mcp/ops`],
    ['/', base],
    ['/api/v1/mcp/tools', `${base}/mcp`],
    ['/metrics', `${base}/mcp`],
  ])('%s belongs to %s', (path, resource) => {
    expect(resourceOf(base, path)).toBe(resource);
  });
});

describe('metadata', () => {
  it.each([
    [base, `${base}/.well-known/oauth-protected-resource`],
    [`${base}/mcp`, `${base}/.well-known/oauth-protected-resource/mcp`],
    [`${base}/mcp/ops`, `${base}/.well-known/oauth-protected-resource/mcp/ops`],
    ['https://example.com/sluice/mcp', 'https://example.com/.well-known/oauth-protected-resource/sluice/mcp'],
  ])('of %s is at %s', (resource, url) => {
    expect(metadataUrl(resource)).toBe(url);
  });

  it.each([
    ['/.well-known/oauth-protected-resource', '/'],
    ['/.well-known/oauth-protected-resource/', '/'],
    ['/.well-known/oauth-protected-resource/mcp', '/mcp'],
    ['/.well-known/oauth-protected-resource/mcp/ops', '/mcp/ops'],
    ['/.well-known/oauth-protected-resource/sse', '/sse'],
    ['/.well-known/oauth-protected-resource/mcp/a/b', undefined],
    ['/.well-known/oauth-protected-resource/mcp/<script>', undefined],
    ['/.well-known/oauth-protected-resourcex', undefined],
    ['/mcp', undefined],
  ])('%s requests %s', (path, described) => {
    expect(describedPath(path)).toBe(described);
  });

  it('is also found under the path of the public URL', () => {
    const under = 'https://example.com/sluice';
    expect(describedPath('/.well-known/oauth-protected-resource/sluice/mcp', under)).toBe('/mcp');
    expect(describedPath('/.well-known/oauth-protected-resource/sluice', under)).toBe('/');
    expect(describedPath('/.well-known/oauth-protected-resource/mcp', under)).toBe('/mcp');
    expect(describedPath('/.well-known/oauth-protected-resource/other/mcp', under)).toBeUndefined();
  });

  it('names the resource, its authorization servers and the scopes to request', () => {
    expect(protectedResource(`${base}/mcp`, ['https://id.example.com'])).toEqual({
      resource: `${base}/mcp`,
      authorization_servers: ['https://id.example.com'],
      scopes_supported: ['tools:read', 'tools:execute'],
      bearer_methods_supported: ['header'],
      resource_name: 'Sluice',
    });
  });
});

describe('challenge', () => {
  it('names the metadata, the error and the scope', () => {
    expect(
      challenge({ resource: `${base}/mcp`, error: 'insufficient_scope', description: 'No.', scope: 'redis:write' }),
    ).toBe(
      'Bearer resource_metadata="https://sluice.example.com/.well-known/oauth-protected-resource/mcp", error="insufficient_scope", error_description="No.", scope="redis:write"',
    );
    expect(challenge({})).toBe('Bearer');
  });

  it('cannot be broken by injected quotes or line breaks', () => {
    const header = challenge({ description: 'a"b\\c\r\nSet-Cookie: x=ü' });
    expect(header).toBe('Bearer error_description="a\'b\'c??Set-Cookie: x=?"');
  });
});

describe('comparable', () => {
  it('is the same for every URL of the whole gateway', () => {
    const same = [base, `${base}/`, `${base}/mcp`, `${base}/mcp/`, `${base}/sse`, `${base}:443/mcp?expose=flat`];
    expect(new Set(same.map(comparable)).size).toBe(1);
  });

  it('is the same for every loopback name', () => {
    const same = ['http://localhost:3500/mcp', 'http://127.0.0.1:3500', 'http://[::1]:3500/sse'];
    expect(new Set(same.map(comparable)).size).toBe(1);
  });

  it('differs for different resources', () => {
    const others = [
      base,
      `${base}/mcp/ops`,
      `${base}/mcp/mcp`,
      `${base}/mcp/sse`,
      `${base}:8443/mcp`,
      'http://sluice.example.com/mcp',
      'https://sluice.example.com.evil.example/mcp',
      'https://evil.example/mcp',
      `${base}/other`,
    ];
    expect(new Set(others.map(comparable)).size).toBe(others.length);
    expect(comparable('api://sluice')).not.toBe(comparable(base));
    expect(comparable('sluice')).toBeUndefined();
  });
});

describe('ownResource', () => {
  it.each([
    [`${base}/mcp`, `${base}/mcp`],
    [`${base}/`, base],
    [`${base}/mcp/ops/`, `${base}/mcp/ops`],
    [`${base}/mcp?expose=search`, `${base}/mcp`],
    [`${base}/other`, undefined],
    [`${base}/mcp/a/b`, undefined],
    ['https://evil.example/mcp', undefined],
    ['http://sluice.example.com/mcp', undefined],
    ['nonsense', undefined],
  ])('%s is %s', (asked, own) => {
    expect(ownResource(asked, base)).toBe(own);
  });

  it('also works under a path', () => {
    const under = 'https://example.com/sluice';
    expect(ownResource(`${under}/mcp`, under)).toBe(`${under}/mcp`);
    expect(ownResource(`${under}/mcp/ops`, under)).toBe(`${under}/mcp/ops`);
    expect(ownResource('https://example.com/mcp', under)).toBeUndefined();
  });
});
