import { expect } from 'vitest'
import { type Name, operationNamed, type Someone } from './world.ts'

/** The file that a report answers with `format`: its name and its content as text. */
export async function reportFileOf(someone: Someone, name: Name, input: Record<string, unknown>) {
  const { status, body, headers } = await someone.request(operationNamed(name), input)
  expect(status, JSON.stringify(body)).toBe(200)
  const fileName = /filename="?([^";]+)/.exec(String(headers['content-disposition']))?.[1] ?? ''
  return { fileName, type: String(headers['content-type']), text: String(body) }
}
