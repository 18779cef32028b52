import { spawn } from 'node:child_process';
import type { Env } from '../../host/part.ts';

const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** False if no browser can be opened from here. */
export function openInBrowser(url: string, env: Env): Promise<boolean> {
  const [command = 'xdg-open', ...args] = openers[process.platform] ?? [];
  if (command === 'xdg-open' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
