import { z } from 'zod';
import { defaultCheck, moduleAbsent, toolOf } from './default-check.ts';

export const containerCheck = defaultCheck({
  kind: 'container',
  absent: moduleAbsent('docker', 'containers'),
  tool: (item) => toolOf(item, 'docker', 'inspect_container'),
  arguments: ({ name }) => ({ container: name }),
  answer: z.object({
    state: z.string(),
    exit_code: z.int().optional(),
    out_of_memory: z.boolean().optional(),
    restarts: z.int().optional(),
    health: z.object({ status: z.string() }).optional(),
  }),
  read({ state, exit_code: exit, out_of_memory: isStarved, health }, item) {
    const next = `${toolOf(item, 'docker', 'get_logs')} shows why.`;
    const start = `${toolOf(item, 'docker', 'start_container')} starts it.`;
    const seen = `${state}${exit === undefined ? '' : `, exit code ${exit}`}${isStarved ? ', out of memory' : ''}`;
    if (state.startsWith('running'))
      return health?.status === 'unhealthy'
        ? { state: 'failing', seen, next }
        : { state: health?.status === 'starting' ? 'warning' : 'ok', seen };
    if (state.startsWith('restarting') || state.startsWith('dead')) return { state: 'failing', seen, next };
    if (exit !== undefined && exit !== 0) return { state: 'failing', seen, next };
    return { state: 'warning', seen, ...(!state.startsWith('paused') && { next: start }) };
  },
});
