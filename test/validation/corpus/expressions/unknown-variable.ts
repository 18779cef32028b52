import { broken, type Case, valid } from '../../case.ts';
import { code, value, withCode, withValue } from '../../expression-flow.ts';

const rule = 'unknown-variable';

export const cases: Case[] = [
  valid(
    'variables of n8n',
    withValue(
      '={{ $input.first().json.a }} {{ $workflow.id }} {{ $execution.id }} {{ $vars.a }} {{ $itemIndex }} {{ $runIndex }} {{ $today }} {{ $prevNode.name }} {{ $ifEmpty($json.a, 1) }} {{ $jmespath($json, "a") }} {{ $max(1, 2) }}',
    ),
  ),
  valid('names of fields', withValue('={{ $json.$special }} {{ $json["$other"] }}')),
  valid('its own variable', withValue('={{ $json.list.map(($one) => $one.a) }}')),
  valid('its own variable in code', withCode('const $rows = $input.all();\nreturn $rows;')),
  valid(
    'variables that exist only in code',
    withCode("const data = $getWorkflowStaticData('global');\nreturn [{ json: data }];"),
  ),
  broken('a typo', withValue('={{ $jsn.name }}'), [{ rule, path: value, severity: 'error', says: '"$json"' }]),
  broken('an invented variable', withValue('={{ $customer.name }}'), [
    { rule, path: value, severity: 'error', says: 'column 4' },
  ]),
  broken('a function that does not exist', withValue('={{ $concatenate("a", "b") }}'), [{ rule, path: value }]),
  broken('a typo in code', withCode('return $inputs.all();'), [
    { rule, path: code, severity: 'error', says: '"$input"' },
  ]),
];
