import { DEFAULT_INSTANCE } from '../../nodes/which-n8n.ts';

const variables = { apiKey: 'N8N_API_KEY', url: 'N8N_URL' } as const;

/** Where to set it. The default instance can also come from the environment. */
export const setWhere = (name: string, what: keyof typeof variables): string =>
  name === DEFAULT_INSTANCE ? `${variables[what]} or n8n.${name}.${what}` : `n8n.${name}.${what}`;
