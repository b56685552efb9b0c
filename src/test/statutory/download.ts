import { expect } from 'vitest'
import { addressed, operationNamed, type Someone, theApp } from '../world.ts'

/** Downloads a statutory file: its name, type and bytes. */
export async function downloadStatutory(someone: Someone, input: Record<string, unknown>) {
  const { url } = addressed(operationNamed('reports_statutory_file'), {
    organizationId: someone.organizationId,
    format: 'file',
    ...input,
  })
  const answer = await theApp().server.inject({ method: 'GET', url, headers: { ...someone.credentials } })
  expect(answer.statusCode, answer.payload.slice(0, 500)).toBe(200)
  const fileName = /filename="?([^";]+)/.exec(String(answer.headers['content-disposition']))?.[1] ?? ''
  return { fileName, type: String(answer.headers['content-type']), bytes: answer.rawPayload }
}
