#!/usr/bin/env node
// Runs the sources in a clone and dist/ when published. Plain JavaScript that Node 20 can read:
// it must be able to say which Node is needed, or hand over to the pinned one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { flags, malloc } from './frugal.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const published = here('../dist/main.js');
const sources = here('../src/main.ts');
const inClone = existsSync(sources);
const modern = Number(process.versions.node.split('.')[0]) >= 24;

const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ');
const isFrugal = !['serve', 'stdio'].includes(process.argv[2]) || given.includes('--max-semi-space-size');
const args = [...(isFrugal ? [] : flags), ...process.execArgv, ...process.argv.slice(1)];
const env = isFrugal ? process.env : { ...malloc, ...process.env };

if (modern && !isFrugal && process.execve && !process.connected) {
  process.execve(process.execPath, [process.execPath, ...args], env);
} else if (modern) {
  // From the second start on nothing is compiled again: half the time, and 14 MB less.
  if (inClone) module.enableCompileCache(here('../node_modules/.cache/sluice'));
  // The one that handed over to us is gone, and could not say so: it was killed.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // Waiting for that keeps nobody alive whose work is done.
  process.channel?.unref();
  const { main } = await import(inClone ? sources : published);
  await main(process.argv.slice(2));
} else if (inClone && existsSync(here('../node_modules/node/bin/node'))) {
  const child = spawn(here('../node_modules/node/bin/node'), args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
} else {
  console.error(`sluice needs Node 24 or newer; this is ${process.version}.`);
  console.error(
    inClone ? 'Run `npm ci` first: it brings the right Node along.' : 'Install Node 24: https://nodejs.org',
  );
  process.exit(1);
}
