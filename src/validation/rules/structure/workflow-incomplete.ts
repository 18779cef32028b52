import type { Fix } from '../../finding.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

const LONGEST_NAME = 128;

/** What n8n's API demands besides nodes and connections. Templates leave it out, and run all the same. */
export const workflowIncomplete: Rule = {
  id: 'workflow-incomplete',
  group: 'structure',
  title: 'A workflow that is saved has a name of 1 to 128 characters and an object of settings.',
  severity: { save: 'error' },
  fixesSafely: true,
  check({ workflow }, report) {
    const name = own(workflow, 'name');
    if (name === undefined) report({ path: '', message: 'The workflow has no "name", and n8n saves none without.' });
    else if (typeof name !== 'string' || name.length === 0 || name.length > LONGEST_NAME) {
      report({ path: '/name', message: `"name" has to be a text of 1 to ${LONGEST_NAME} characters. Change it.` });
    }
    const settings = own(workflow, 'settings');
    if (settings === undefined) {
      report({
        path: '',
        message: 'The workflow has no "settings", and n8n\'s API takes none without. Give an empty object.',
        fix: emptySettings('add'),
      });
    } else if (!isRecord(settings)) {
      report({
        path: '/settings',
        message: `"settings" has to be an object, not ${kindOf(settings)}.`,
        ...(settings === null && { fix: emptySettings('replace') }),
      });
    }
  },
};

function emptySettings(op: 'add' | 'replace'): Fix {
  return {
    description: 'Give the workflow an empty object of settings.',
    safe: true,
    patch: [{ op, path: '/settings', value: {} }],
  };
}
