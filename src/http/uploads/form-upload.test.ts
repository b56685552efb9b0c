import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Operation } from '../../core/define/operation.ts'
import { Type } from '../../core/define/schema.ts'
import { newId } from '../../core/values/id.ts'
import { newFolder } from '../../test/folder.ts'
import { form, type Part } from '../../test/form.ts'
import { deferBodyParsing, discardUpload, readUpload } from './upload-body.ts'

const folder = newFolder('form-upload')
const fields = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, Type.Optional(Type.String())]))
const operation = {
  input: Type.Object({ ...fields, size: Type.Integer(), sure: Type.Boolean() }),
} as unknown as Operation
const storage = { scratch: () => join(folder, newId()) } as never

/** A server that answers what it read. */
const app = fastify()
app.decorateRequest('bodyProblem', null).decorateRequest('received', null)
app.register(async (scope) => {
  await deferBodyParsing(scope)
  scope.post('/', async (request, reply) => {
    await readUpload(request, reply, operation, storage)
    const { body, bodyProblem, received } = request
    const content = received && (await readFile(received.path, 'utf8'))
    await discardUpload(request)
    return bodyProblem ? { problem: bodyProblem.message } : { body, content }
  })
})

async function read(parts: Part[], change: (sent: ReturnType<typeof form>) => object = () => ({})) {
  const sent = form(parts)
  const { body, headers } = { ...sent, ...change(sent) }
  const answer = await app.inject({ method: 'POST', url: '/', headers, payload: body })
  return answer.json() as { problem?: string; body?: Record<string, unknown>; content?: string }
}

const file = { name: 'file', value: 'Hello', fileName: 'a.txt', type: 'text/plain' }
const field = (name: string, value = 'x') => ({ name, value })
const manyFields = (count: number) => Array.from({ length: count }, (_, n) => field(`f${n}`))

test('the part named file becomes the file, and the other parts become fields of their type', async () => {
  const parts = [field('f1'), field('size', '7'), field('sure', 'true'), field('f2', ''), file]
  expect(await read(parts)).toEqual({
    body: { f1: 'x', size: 7, sure: true, file: { fileName: 'a.txt', fileType: 'text/plain', base64: '' } },
    content: 'Hello',
  })
})

test.each<[string, Part[], Part[], string]>([
  ['two files', [file, file], [file], 'A form holds one file, in the part named file.'],
  ['a file in another part', [{ ...file, name: 'document' }], [file], 'A form holds one file, in the part named file.'],
  ['21 fields', [...manyFields(21), file], [...manyFields(20), file], 'A form has at most 20 fields.'],
  ['a field of more than 64 KiB', [field('f1', 'x'.repeat(65_537)), file], [field('f1', 'x'.repeat(65_000)), file], 'f1 is longer than the 64 KiB that a form field may have.'],
])('a form with %s is refused, and no file remains', async (_, invalid, valid, problem) => {
  expect(await read(valid)).toMatchObject({ content: 'Hello' })
  expect(await read(invalid)).toEqual({ problem })
  expect(readdirSync(folder)).toEqual([])
}) // biome-ignore format: a table

test.each<[string, (sent: ReturnType<typeof form>) => object]>([
  ['that is cut off', ({ body }) => ({ body: body.subarray(0, body.length - 20) })],
  ['without a boundary', () => ({ headers: { 'content-type': 'multipart/form-data' } })],
  ['with another boundary', () => ({ headers: { 'content-type': 'multipart/form-data; boundary=other' } })],
  ['with a tab in its media type', () => ({ headers: { 'content-type': 'multipart/form-data\t; boundary=kontor-test' } })],
  ['sent as a URL-encoded form', () => ({ headers: { 'content-type': 'application/x-www-form-urlencoded' } })],
])('a form %s is refused, and no file remains', async (_, change) => {
  expect(await read([file])).toMatchObject({ content: 'Hello' })
  expect(await read([file], change)).toEqual({ problem: expect.stringMatching(/\.$/) })
  expect(readdirSync(folder)).toEqual([])
}) // biome-ignore format: a table
