import { judgingTool } from './judging-tool.ts';

export const validateExpressions = judgingTool({
  name: 'n8n_validate_expressions',
  title: 'Validate expressions',
  description:
    'Checks the expressions and code of a workflow: syntax with positions, nodes and variables that do not exist, nodes that are not upstream, expressions where none are allowed.',
  groups: ['expressions'],
  phrases:
    'check expressions; syntax errors in code; is this expression right; reference to a node that does not exist; why does an expression not resolve; check the javascript or python of a code node; undefined variables in expressions; curly braces are wrong; expression is empty or undefined; is my javascript correct; check the formulas; mistakes in expressions; does this expression work; check the code nodes; expression syntax; wrong variable names; are the references to other nodes right; why is the value undefined; bad template braces; check $json usage; something is off with my curly braces; check my code nodes; is the code fine; my expression shows undefined; does the expression point to an existing node; is $node used right; typos in variables; check syntax; are formulas correct; red expression; expression gives an error; are the references in my fields valid; is the javascript free of errors; validate formulas; broken references; does my code compile; check the template syntax; expression error; are the variables right; faulty expression; is the python right',
  example: { title: 'Check a workflow in n8n', arguments: { id: 'aB3xY9kLmN0pQrSt' } },
});
