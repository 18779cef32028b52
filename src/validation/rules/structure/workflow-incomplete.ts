import type { Fix } from '../../finding.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

const LONGEST_NAME = 128;

/** What n8n's API requires besides nodes and connections. Templates leave it out and still run. */
export const workflowIncomplete: Rule = {
  id: 'workflow-incomplete',
  group: 'structure',
  title: 'A saved workflow has a name of 1 to 128 characters and a "settings" object.',
  severity: { save: 'error' },
  fixesSafely: true,
  check({ workflow }, report) {
    const name = own(workflow, 'name');
    if (name === undefined)
      report({ path: '', message: 'The workflow has no "name", and n8n does not save it without one.' });
    else if (typeof name !== 'string' || name.length === 0 || name.length > LONGEST_NAME) {
      report({ path: '/name', message: `"name" must be a string of 1 to ${LONGEST_NAME} characters.` });
    }
    const settings = own(workflow, 'settings');
    if (settings === undefined) {
      report({
        path: '',
        message: 'The workflow has no "settings", and n8n\'s API requires it. Add "settings": {}.',
        fix: emptySettings('add'),
      });
    } else if (!isRecord(settings)) {
      report({
        path: '/settings',
        message: `"settings" must be an object, not ${kindOf(settings)}.`,
        ...(settings === null && { fix: emptySettings('replace') }),
      });
    }
  },
};

function emptySettings(op: 'add' | 'replace'): Fix {
  return {
    description: 'Set "settings" to an empty object.',
    safe: true,
    patch: [{ op, path: '/settings', value: {} }],
  };
}
