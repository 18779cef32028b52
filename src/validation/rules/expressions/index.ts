import type { Rule } from '../../rule.ts';
import { codeForEachItem } from './code-for-each-item.ts';
import { codeRestricted } from './code-restricted.ts';
import { codeResult } from './code-result.ts';
import { codeSyntax } from './code-syntax.ts';
import { codeUnknownName } from './code-unknown-name.ts';
import { codeWithoutReturn } from './code-without-return.ts';
import { envAccess } from './env-access.ts';
import { expressionDoubleEquals } from './expression-double-equals.ts';
import { expressionEmpty } from './expression-empty.ts';
import { expressionInCode } from './expression-in-code.ts';
import { expressionMissingEquals } from './expression-missing-equals.ts';
import { expressionNotTaken } from './expression-not-taken.ts';
import { expressionRefused } from './expression-refused.ts';
import { expressionStrayBraces } from './expression-stray-braces.ts';
import { expressionSyntax } from './expression-syntax.ts';
import { expressionTooLong } from './expression-too-long.ts';
import { expressionUnclosed } from './expression-unclosed.ts';
import { expressionWithoutBraces } from './expression-without-braces.ts';
import { fromAiOutsideTool } from './from-ai-outside-tool.ts';
import { referenceNotUpstream } from './reference-not-upstream.ts';
import { unknownMember } from './unknown-member.ts';
import { unknownMethod } from './unknown-method.ts';
import { unknownName } from './unknown-name.ts';
import { unknownNodeReference } from './unknown-node-reference.ts';
import { unknownVariable } from './unknown-variable.ts';

/** Expressions and code that n8n can parse and run. */
export const expressionRules: readonly Rule[] = [
  expressionSyntax,
  expressionUnclosed,
  expressionEmpty,
  expressionStrayBraces,
  expressionRefused,
  expressionNotTaken,
  expressionMissingEquals,
  expressionWithoutBraces,
  expressionDoubleEquals,
  expressionTooLong,
  unknownNodeReference,
  referenceNotUpstream,
  unknownMember,
  unknownMethod,
  unknownVariable,
  unknownName,
  fromAiOutsideTool,
  envAccess,
  codeSyntax,
  codeWithoutReturn,
  codeResult,
  codeForEachItem,
  codeUnknownName,
  codeRestricted,
  expressionInCode,
];
