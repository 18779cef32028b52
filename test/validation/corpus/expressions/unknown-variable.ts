import { broken, type Case, valid } from '../../case.ts';
import { code, value, withCode, withValue } from '../../expression-flow.ts';

const rule = 'unknown-variable';

export const cases: Case[] = [
  valid(
    'what n8n has',
    withValue(
      '={{ $input.first().json.a }} {{ $workflow.id }} {{ $execution.id }} {{ $vars.a }} {{ $itemIndex }} {{ $runIndex }} {{ $today }} {{ $prevNode.name }} {{ $ifEmpty($json.a, 1) }} {{ $jmespath($json, "a") }} {{ $max(1, 2) }}',
    ),
  ),
  valid('names of fields', withValue('={{ $json.$special }} {{ $json["$other"] }}')),
  valid('a variable of its own', withValue('={{ $json.list.map(($one) => $one.a) }}')),
  valid('one of its own in code', withCode('const $rows = $input.all();\nreturn $rows;')),
  valid('what code has besides', withCode("const data = $getWorkflowStaticData('global');\nreturn [{ json: data }];")),
  broken('a slip', withValue('={{ $jsn.name }}'), [{ rule, path: value, severity: 'error', says: '"$json"' }]),
  broken('an invention', withValue('={{ $customer.name }}'), [
    { rule, path: value, severity: 'error', says: 'column 4' },
  ]),
  broken('a function that there is not', withValue('={{ $concatenate("a", "b") }}'), [{ rule, path: value }]),
  broken('a slip in code', withCode('return $inputs.all();'), [
    { rule, path: code, severity: 'error', says: '"$input"' },
  ]),
];
