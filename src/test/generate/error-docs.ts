import ts from 'typescript'
import { databaseRules, detailCodes, errorCodes } from '../../core/define/error-codes.ts'
import { type Source, sourcesWhere } from './sources.ts'

/** docs/errors.md: every code of an error answer with its meaning, and for details the parts of the product that set them. */
export function errorDocs(): string {
  const places = placesOfCodes()
  const errors = Object.entries(errorCodes).map(([code, { status, means }]) => `| \`${code}\` | ${status} | ${means} |`)
  const details = Object.entries(detailCodes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, means]) => `| \`${code}\` | ${means} | ${placeOf(code, places)} |`)
  return `${heading}\n${errors.join('\n')}\n\n${detailsHeading}\n${details.join('\n')}\n`
}

/** Codes of the list that no source sets. */
export function unusedCodes(): string[] {
  const places = placesOfCodes()
  return Object.keys(detailCodes).filter((code) => !(code in databaseRules) && !places.get(code))
}

const heading = `# Error codes

Written by \`npm run docs\` from \`src/core/define/error-codes.ts\`; do not edit.

Every error answer has the same form: \`{ "error": { "code", "message", "details", "requestId" } }\`. The code decides the
status. MCP tools answer the same object.

| code | status | meaning |
| --- | --- | --- |`

const detailsHeading = `## Codes in \`details\`

\`details\` lists what is wrong, each with the \`path\` of the field, a \`message\` for people and, where programs need to tell
cases apart, a \`code\`. A detail without a code says that a field is missing or has the wrong form. A code that is not in
this list is the name of a database constraint: the program should have refused earlier, which is a mistake to report.

| code | meaning | raised by |
| --- | --- | --- |`

const placeOf = (code: string, places: Places) =>
  [...(code in databaseRules ? ['database'] : []), ...[...(places.get(code) ?? [])].sort()].join(', ')

type Places = Map<string, Set<string>>

let known: Places | undefined

/** Which parts of the product set which codes, read from the sources once. */
function placesOfCodes(): Places {
  if (known) return known
  const places: Places = new Map()
  const sources = sourcesWhere((file) => /^(core|db|features|ledger|http|mcp|providers|worker)\//.test(file))
  for (const source of sources.filter(isProduct))
    for (const code of codesIn(source)) places.set(code, (places.get(code) ?? new Set()).add(partOf(source.file)))
  known = places
  return places
}

const isProduct = ({ file, text }: Source) =>
  !/\.(test|check|d)\.ts$/.test(file) &&
  !/^(core\/define\/error-codes\.ts|http\/reference\/)/.test(file) &&
  /\b(Failure|Detail|DetailCode|failure\.ts|Missing|refusals)\b/.test(text)

/** Codes that a file sets: arguments of a call that makes a failure, the `code` of an object, or a key of `refusals`. */
function codesIn({ file, text }: Source): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && node.text in detailCodes && isCode(node)) found.push(node.text)
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && isRefusal(node)) found.push(node.name.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  return found.filter((code) => code in detailCodes)
}

const makers = /^(invalid|conflict|forbidden|unauthenticated|detailed|trouble|refuse|refusal)$/

function isCode({ parent }: ts.StringLiteral): boolean {
  if (ts.isCallExpression(parent)) return makers.test(parent.expression.getText())
  return ts.isPropertyAssignment(parent) && /^(code|target)$/.test(parent.name.getText())
}

/** An entry of a table called `refusals`, whose keys are the codes. */
function isRefusal({ parent }: ts.PropertyAssignment): boolean {
  const table = ts.findAncestor(parent, ts.isVariableDeclaration)
  return table?.name.getText() === 'refusals'
}

const parts: [RegExp, string][] = [
  [/^features\/[^/]+\/([^/]+)\//, '$1'],
  [/^core\/(run|define)\//, 'every operation'],
  [/^core\/files\//, 'uploads'],
  [/^core\/secrets\//, 'stored secrets'],
  [/^(core\/outside|providers\/egress)\//, 'outgoing calls'],
  [/^providers\/rates\//, 'exchange-rates'],
  [/^providers\/typeset\//, 'printing'],
  [/^http\/oauth\//, 'OAuth'],
  [/^http\/uploads\//, 'uploads'],
  [/^http\//, 'HTTP'],
  [/^mcp\//, 'MCP'],
]

function partOf(file: string): string {
  const [pattern, name] = parts.find(([each]) => each.test(file)) ?? [/^([^/]+)\/.*$/, '$1']
  return (pattern.exec(file)?.[0] ?? '').replace(pattern, name)
}
