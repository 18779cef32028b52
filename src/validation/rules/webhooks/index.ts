import type { Rule } from '../../rule.ts';
import { chatWithoutChatTrigger } from './chat-without-chat-trigger.ts';
import { formPageWithoutForm } from './form-page-without-form.ts';
import { oddWebhookPath } from './odd-webhook-path.ts';
import { respondNodeMissing } from './respond-node-missing.ts';
import { respondNodeUnused } from './respond-node-unused.ts';
import { respondWithoutWebhook } from './respond-without-webhook.ts';
import { webhookPathClash } from './webhook-path-clash.ts';
import { webhookPathTaken } from './webhook-path-taken.ts';

/** The paths that others call, and the answers they get. */
export const webhookRules: readonly Rule[] = [
  webhookPathClash,
  webhookPathTaken,
  oddWebhookPath,
  respondNodeMissing,
  respondNodeUnused,
  respondWithoutWebhook,
  formPageWithoutForm,
  chatWithoutChatTrigger,
];
