import { unknownField } from '../../../../core/define/complaint.ts'
import type { Detail } from '../../../../core/define/failure.ts'
import type { TObject, Warning } from '../../../../core/define/schema.ts'
import type { Catalog } from '../../../../core/define/services.ts'
import { problemsOf } from '../../../../core/define/validate.ts'
import { checkInput } from '../../../../core/run/input.ts'
import { suggestion } from '../../../../core/values/nearest.ts'
import { type Action, findAction } from '../actions/action.ts'
import type { Block } from '../automation.ts'
import { bindingsIn, valueAt } from '../engine/bindings.ts'
import { isRecord } from '../engine/elements.ts'
import { literalProblems } from './engine-literals.ts'
import { namesIn, shapeAt } from './shape.ts'
import { textsIn } from './texts.ts'

/** Warns of input that the action would refuse, as far as it does not depend on bindings. */
export function* inputWarnings(catalog: Catalog, block: Block, path: string): Generator<Warning> {
  const action = findAction(catalog, block.ref)
  if (!action) return
  const at = `${path}.config.input`
  const { input = {}, ...others } = block.config
  if (typeof input === 'string' && bindingsIn(input).length > 0) return
  const warning = (code: string, message: string, place = at) => ({
    code,
    path: place,
    message: `The block ${block.id}: ${message}`,
  })
  if (!isRecord(input)) yield warning('INVALID_INPUT', 'config.input must be an object with the fields of the action.')
  else if (!('input' in block.config) && Object.keys(others).length > 0)
    yield warning('MISSING_INPUT', `the fields of the action belong into config.input, not config.`)
  else {
    const unfilled = [...unfilledIn(input, at)]
    yield* unfilled.map((place) =>
      warning('UNFILLED_VALUE', `${place.slice(path.length + 1)} is not filled in.`, place),
    )
    for (const problem of problemsOfInput(action, input)) {
      const place = `${at}.${problem.path}`
      if (unfilled.includes(place)) continue
      const [code, hint] = kindOf(problem, action, input)
      yield warning(code, `${block.ref} would refuse it: ${problem.message}${hint}`, problem.path ? place : at)
    }
    for (const { path: field, message } of literalProblems(block.ref, input))
      if (!unfilled.includes(`${at}.${field}`))
        yield warning('INVALID_INPUT', `${block.ref} would refuse it: ${message}`, `${at}.${field}`)
  }
}

const schemaOf = (action: Action): TObject => (action.kind === 'engine' ? action.action.input : action.operation.input)

/** The problems of fields without bindings. The engine fills in the organization. */
function problemsOfInput(action: Action, input: Record<string, unknown>): Detail[] {
  const given = structuredClone(input)
  const problems =
    action.kind === 'engine'
      ? problemsOf(action.action.input, given)
      : [
          ...ignoredFields(action, input),
          ...(checkInput(action.operation, { input: { ...given, organizationId } }).problem?.details ?? []),
        ]
  return problems.filter(({ path }) => bindingsIn(valueAt(input, path.split('.'))).length === 0)
}

const organizationId = '00000000-0000-0000-0000-000000000000'

/** A read ignores unknown fields, and would read more than was meant. */
function ignoredFields(action: Action & { kind: 'system' }, input: object): Detail[] {
  const { method, input: schema } = action.operation
  if (method !== 'GET') return []
  return Object.keys(input)
    .filter((name) => name !== 'organizationId' && !Object.hasOwn(schema.properties, name))
    .map((name) => unknownField(name, Object.keys(schema.properties)))
}

/** The code of a problem, and the field that was meant. */
function kindOf({ path, code, params }: Detail, action: Action, input: object): [code: string, hint: string] {
  const names = path.split('.')
  if (code === 'UNKNOWN_FIELD') {
    if (params) return ['UNKNOWN_INPUT', ''] // the message names the nearest field
    const parent = shapeAt(
      [schemaOf(action) as never],
      names.slice(0, -1).map((name) => (/^\d+$/.test(name) ? '0' : name)),
    )
    return ['UNKNOWN_INPUT', 'found' in parent ? suggestion(names.at(-1) ?? '', namesIn(parent.found)) : '']
  }
  return [path && valueAt(input, names) === undefined ? 'MISSING_INPUT' : 'INVALID_INPUT', '']
}

/** Templates leave what a person has to fill in empty; others write <customer id>. */
function* unfilledIn(input: object, at: string): Generator<string> {
  for (const { path, text } of textsIn(input, at)) {
    const field = path.slice(path.lastIndexOf('.') + 1)
    if (placeholder.test(text) || (text.trim() === '' && mustBeFilled.test(field))) yield path
  }
}

/** `<customer id>`, `<customerId>` or `<CUSTOMER_ID>`, and not `<Thanks>`. */
const placeholder = /^<\s*([a-z][\w .'-]{0,99}|[A-Z][A-Z0-9_]{1,99})>$/

const mustBeFilled = /^(id|to|url)$|Id$/
