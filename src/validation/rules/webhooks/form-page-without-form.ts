import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { reachOf } from '../../connections/reach.ts';
import { after, FORM_TRIGGER } from '../../webhooks/respond-node.ts';

const FORM = 'n8n-nodes-base.form';

export const formPageWithoutForm: Rule = {
  id: 'form-page-without-form',
  group: 'webhooks',
  title: 'A form page comes after a form trigger, and the ending comes last.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const pages = subject.nodes.filter(({ type, disabled }) => type === FORM && !disabled);
    if (pages.length === 0) return;
    const { reached } = reachOf(subject);
    // A node of an unknown type may be a form trigger.
    const forms = subject.nodes.filter(({ type, summary, sticky }) => type === FORM_TRIGGER || (!summary && !sticky));
    const inForm = after(forms, subject);
    const pastEnd = after(pages.filter(isEnding), subject);
    for (const node of pages) {
      if (!reached.has(node)) continue;
      if (!inForm.has(node)) {
        report({
          path: node.pointer,
          node: node.name,
          message: `"${node.name}" is a form page, but no form trigger comes before it, so it fails. Start with n8n-nodes-base.formTrigger.`,
        });
      }
      const ending = pastEnd.get(node);
      if (!ending || ending === node) continue;
      report({
        path: ending.pointer,
        node: ending.name,
        message: `"${ending.name}" ends the form, but "${node.name}" comes after it, so the form fails. Make "${ending.name}" the last page, or change its "operation" to "page".`,
      });
    }
  },
};

const isEnding = ({ parameters }: NodeView): boolean => parameters['operation'] === 'completion';
