import { authPart } from '../auth/part.ts';
import { eventsPart } from '../events/part.ts';
import { gatewayPart } from '../gateway/part.ts';
import { type None, part } from '../host/part.ts';

const uses = { events: eventsPart, gateway: gatewayPart, auth: authPart };

/** The page for people. It knows no other part by name: each brings its own pages. */
export const consolePart = part<undefined, None, typeof uses>({
  uses,
  pages: [
    { path: '', title: 'Overview', scope: 'health:check', module: 'console/pages/overview.tsx', order: 0, key: 'o' },
    {
      path: 'approvals',
      title: 'Approvals',
      scope: 'tools:read',
      module: 'console/pages/approvals.tsx',
      order: 10,
      key: 'a',
    },
    {
      path: 'configuration',
      title: 'Configuration',
      scope: 'admin',
      module: 'console/pages/configuration.tsx',
      order: 95,
      key: 'c',
      kinds: ['configuration'],
    },
  ],
  open: async (host) => (await import('./open.ts')).openConsole(host),
});
