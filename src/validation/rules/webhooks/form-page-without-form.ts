import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { reachOf } from '../../connections/reach.ts';
import { after, FORM_TRIGGER } from '../../webhooks/respond-node.ts';

const FORM = 'n8n-nodes-base.form';

export const formPageWithoutForm: Rule = {
  id: 'form-page-without-form',
  group: 'webhooks',
  title: 'A page of a form comes after a form trigger, and its ending comes last.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const pages = subject.nodes.filter(({ type, disabled }) => type === FORM && !disabled);
    if (pages.length === 0) return;
    const { reached } = reachOf(subject);
    // What nobody knows may be a form too.
    const forms = subject.nodes.filter(({ type, summary, sticky }) => type === FORM_TRIGGER || (!summary && !sticky));
    const inForm = after(forms, subject);
    const pastEnd = after(pages.filter(isEnding), subject);
    for (const node of pages) {
      if (!reached.has(node)) continue;
      if (!inForm.has(node)) {
        report({
          path: node.pointer,
          node: node.name,
          message: `"${node.name}" is a page of a form, and no form trigger comes before it, so that it fails. Begin with n8n-nodes-base.formTrigger.`,
        });
      }
      const ending = pastEnd.get(node);
      if (!ending || ending === node) continue;
      report({
        path: ending.pointer,
        node: ending.name,
        message: `"${ending.name}" ends the form, and "${node.name}" comes after it, so that it fails. Make "${ending.name}" the last page, or change its "operation" to "page".`,
      });
    }
  },
};

const isEnding = ({ parameters }: NodeView): boolean => parameters['operation'] === 'completion';
