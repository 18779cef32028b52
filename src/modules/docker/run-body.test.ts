import { expect, test } from 'vitest';
import { z } from 'zod';
import { bodyOf, runInput } from './run-body.ts';

const input = z.strictObject(runInput);
const checked = { image: 'nginx:1', network: 'bridge', mounts: [], autoRemove: false };

test('a body has what was asked for, and no privileges', () => {
  const asked = input.parse({
    name: 'web',
    command: ['nginx'],
    environment: { A: 'b=c' },
    ports: [
      { container: 80, host: 8080 },
      { container: 80, host: 8081, address: '0.0.0.0' },
    ],
    memory_mb: 64,
    cpus: 0.5,
  });
  const mounts = [{ type: 'bind' as const, source: '/srv', target: '/x', readOnly: true }];
  expect(bodyOf(asked, { ...checked, mounts })).toEqual({
    Image: 'nginx:1',
    Cmd: ['nginx'],
    Env: ['A=b=c'],
    Labels: {},
    ExposedPorts: { '80/tcp': {} },
    HostConfig: {
      NetworkMode: 'bridge',
      AutoRemove: false,
      Privileged: false,
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: false,
      RestartPolicy: { Name: 'no' },
      Mounts: [{ Type: 'bind', Source: '/srv', Target: '/x', ReadOnly: true }],
      PortBindings: {
        '80/tcp': [
          { HostIp: '127.0.0.1', HostPort: '8080' },
          { HostIp: '0.0.0.0', HostPort: '8081' },
        ],
      },
      Memory: 64 * 1024 * 1024,
      NanoCpus: 5e8,
    },
  });
});

test.each([
  { name: 'a/b' },
  { name: '../x' },
  { name: 'x', environment: { 'A=B': 'c' } },
  { name: 'x', mounts: [{ source: '/srv', target: '/x/../y' }] },
  { name: 'x', mounts: [{ source: '/srv', target: '/x:rw' }] },
  { name: 'x', mounts: [{ source: '/srv', target: '/x', propagation: 'shared' }] },
  { name: 'x', ports: [{ container: 80, host: 70_000 }] },
  { name: 'x', user: 'root; rm' },
  { name: 'x', devices: ['/dev/kmsg'] },
])('%j is refused', (given) => {
  expect(input.safeParse(given).success).toBe(false);
});
