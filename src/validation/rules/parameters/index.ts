import type { Rule } from '../../rule.ts';
import { assignmentShape } from './assignment-shape.ts';
import { collectionShape } from './collection-shape.ts';
import { fieldCount } from './field-count.ts';
import { filterShape } from './filter-shape.ts';
import { filterValue } from './filter-value.ts';
import { fixedCollectionShape } from './fixed-collection-shape.ts';
import { ignoredParameter } from './ignored-parameter.ts';
import { invalidColor } from './invalid-color.ts';
import { invalidCron } from './invalid-cron.ts';
import { invalidDate } from './invalid-date.ts';
import { invalidJson } from './invalid-json.ts';
import { invalidRegex } from './invalid-regex.ts';
import { invalidUrl } from './invalid-url.ts';
import { listShape } from './list-shape.ts';
import { numberRange } from './number-range.ts';
import { parameterType } from './parameter-type.ts';
import { requiredParameter } from './required-parameter.ts';
import { resourceLocatorShape } from './resource-locator-shape.ts';
import { resourceLocatorValue } from './resource-locator-value.ts';
import { resourceMapperShape } from './resource-mapper-shape.ts';
import { scheduleInterval } from './schedule-interval.ts';
import { slowRegex } from './slow-regex.ts';
import { unfilledNode } from './unfilled-node.ts';
import { unknownDataTable } from './unknown-data-table.ts';
import { unknownOperation } from './unknown-operation.ts';
import { unknownOption } from './unknown-option.ts';
import { unknownParameter } from './unknown-parameter.ts';
import { unknownResource } from './unknown-resource.ts';
import { unknownSubWorkflow } from './unknown-sub-workflow.ts';
import { unpublishedSubWorkflow } from './unpublished-sub-workflow.ts';
import { valueForm } from './value-form.ts';

/** The parameters of the nodes: names, types, shapes and values. */
export const parameterRules: readonly Rule[] = [
  requiredParameter,
  unfilledNode,
  unknownParameter,
  ignoredParameter,
  unknownResource,
  unknownOperation,
  unknownOption,
  fixedCollectionShape,
  fieldCount,
  collectionShape,
  listShape,
  resourceLocatorShape,
  resourceLocatorValue,
  resourceMapperShape,
  assignmentShape,
  filterShape,
  filterValue,
  parameterType,
  valueForm,
  numberRange,
  invalidJson,
  invalidCron,
  scheduleInterval,
  invalidUrl,
  invalidRegex,
  slowRegex,
  invalidDate,
  invalidColor,
  unknownSubWorkflow,
  unpublishedSubWorkflow,
  unknownDataTable,
];
