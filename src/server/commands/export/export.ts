import type { Verbs } from '../../../kernel/command.ts';
import type { ServerPlace } from '../starting.ts';
import { arkVerb } from './ark/verb.ts';
import { clientVerb } from './client-verb.ts';
import { mcpbVerb } from './mcpb-verb.ts';

export function exportCommand(place: ServerPlace): Verbs {
  return {
    example: 'sluice export cursor > ~/.cursor/mcp.json',
    verbs: {
      claude: clientVerb(place, 'claude', 'Claude Code or Claude Desktop'),
      cursor: clientVerb(place, 'cursor', 'Cursor'),
      vscode: clientVerb(place, 'vscode', 'VS Code'),
      ark: arkVerb(place),
      mcpb: mcpbVerb(place),
    },
  };
}
