import { expect, test } from 'vitest'
import { Failure, invalid, tooMany } from '../core/define/failure.ts'
import { fromAnswer, fromFailure, structuredSchema, toResult, toResultText } from './result.ts'

const answered = (body: string) => fromAnswer({ status: 200, body })

test('an object is the structured content itself; a list and null are in its field result', () => {
  expect(toResult(answered('{"id":"a"}')).structuredContent).toEqual({ id: 'a' })
  expect(toResult(answered('[{"id":"a"}]')).structuredContent).toEqual({ result: [{ id: 'a' }] })
  expect(toResult(answered('null')).structuredContent).toEqual({ result: null })
})

test('the output schemas describe the same', () => {
  const thing = { type: 'object', properties: { id: { type: 'string' } } }
  const list = { type: 'array', items: thing }
  const wrapped = (result: object) => ({ type: 'object', properties: { result }, required: ['result'] })
  expect(structuredSchema(thing)).toEqual(thing)
  expect(structuredSchema(list)).toEqual(wrapped(list))
  const either = { type: 'object', anyOf: [thing, wrapped({ type: 'null' })] }
  expect(structuredSchema({ anyOf: [thing, { type: 'null' }] })).toEqual(either)
  expect(structuredSchema({ ...thing, type: ['object', 'null'] })).toEqual(either)
})

test('the JSON text of a result equals the result of the library', () => {
  const given = [answered('{"a":"\\"quoted\\""}'), answered('[]'), { ...answered('{}'), replayed: true }]
  const refused = fromFailure(invalid('name', 'name is missing.'), { requestId: 'r', repeatable: false })
  for (const answer of [...given, refused]) {
    expect(JSON.parse(toResultText(answer, {}))).toEqual(toResult(answer))
    const meta = { 'io.modelcontextprotocol/serverInfo': { name: 'kontor' } }
    const newer = JSON.parse(toResultText(answer, { resultType: 'complete', meta }))
    expect(newer).toEqual({
      ...toResult(answer),
      resultType: 'complete',
      _meta: { ...(toResult(answer)._meta as object), ...meta },
    })
  }
})

test('the retry hint says whether the same call may succeed later', () => {
  const retry = (failure: Failure, repeatable: boolean) =>
    JSON.parse(fromFailure(failure, { requestId: 'r', repeatable }).structured).retry
  expect(retry(tooMany('reads', 7), false)).toEqual({ retryable: true, retryAfterS: 7 })
  expect(retry(invalid('name', 'name is missing.'), true)).toEqual({ retryable: false })
  const unknown = new Failure('INTERNAL', 'Something went wrong.')
  expect(retry(unknown, true)).toEqual({ retryable: true })
  expect(retry(unknown, false)).toEqual({ retryable: false }) // the call may have taken effect
})
