import { authFacts } from './auth/facts.ts';
import { bridgeFacts } from './bridge/facts.ts';
import { eventFacts } from './events/facts.ts';
import { gatewayFacts } from './gateway/facts.ts';
import { hostFacts } from './host/facts.ts';
import { callFacts } from './kernel/call-facts.ts';
import { loginFacts } from './login/facts.ts';
import { n8nFacts } from './n8n/facts.ts';

export const facts = {
  ...hostFacts,
  ...callFacts,
  ...eventFacts,
  ...loginFacts,
  ...gatewayFacts,
  ...authFacts,
  ...n8nFacts,
  ...bridgeFacts,
};
