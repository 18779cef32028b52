/** Bundles as Claude Desktop treats them, with the official tool. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getMcpConfigForManifest } from '@anthropic-ai/mcpb/node';

const tool = fileURLToPath(new URL('cli/cli.js', import.meta.resolve('@anthropic-ai/mcpb')));

type Manifest = Parameters<typeof getMcpConfigForManifest>[0]['manifest'];

export interface Unpacked {
  readonly manifest: Manifest;
  /** How a client starts it with these answers of its user; undefined if one that it needs is missing. */
  start(
    answers?: Record<string, string>,
  ): Promise<{ command: string; args: string[]; env: Record<string, string> } | undefined>;
}

export async function mcpb(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [tool, ...args]);
  return stdout;
}

export async function unpack(bundle: string, directory: string): Promise<Unpacked> {
  await mcpb('unpack', bundle, directory);
  await mcpb('validate', join(directory, 'manifest.json'));
  const manifest = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')) as Manifest;
  return {
    manifest,
    async start(answers = {}) {
      const config = await getMcpConfigForManifest({
        manifest,
        extensionPath: directory,
        systemDirs: { HOME: homedir() },
        userConfig: answers,
        pathSeparator: '/',
      });
      return config && { command: config.command, args: config.args ?? [], env: config.env ?? {} };
    },
  };
}
