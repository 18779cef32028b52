import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { workflowPackage } from './package.ts';

describe('a package for n8n', () => {
  const content = {
    id: 'w1',
    name: 'Ünïcode "name"',
    active: true,
    isArchived: true,
    nodes: [
      { id: 'n', name: 'A', type: 't', typeVersion: 2, position: [1, 2] as [number, number], parameters: {}, extra: 1 },
    ],
    connections: {},
    settings: { timezone: 'UTC' },
  };
  const packed = workflowPackage(content, new Date(0));
  const file = (name: string): unknown =>
    JSON.parse(execFileSync('tar', ['-xzOf', '-', name], { input: packed, encoding: 'utf8' }));

  it('starts with the manifest, as n8n requires', () => {
    const names = execFileSync('tar', ['-tzf', '-'], { input: packed, encoding: 'utf8' }).trim().split('\n');
    expect(names[0]).toBe('manifest.json');
    expect(file('manifest.json')).toMatchObject({ workflows: [{ id: 'w1', name: content.name }] });
  });

  it('holds the workflow under its own id, without keys that n8n refuses', () => {
    const workflow = file('workflows/restored/workflow.json');
    expect(workflow).toMatchObject({ id: 'w1', isArchived: false, settings: { timezone: 'UTC' } });
    expect(JSON.stringify(workflow)).not.toContain('extra');
  });
});
