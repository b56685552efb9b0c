import { type Someone, theApp } from '../world.ts'

/** The PDF of a document as a client gets it. */
export async function printed(someone: Someone, id: string, query = '') {
  const url = `/api/documents/${id}/pdf${query}`
  const answer = await theApp().server.inject({ method: 'GET', url, headers: { ...someone.credentials } })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

/** The original of a document. */
export const originalOf = async (someone: Someone, id: string): Promise<Buffer> =>
  (await printed(someone, id, '?copy=false')).bytes
