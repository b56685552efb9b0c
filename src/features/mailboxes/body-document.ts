import type { BodyBlock } from '../../core/outside/mail-reader.ts'
import type { Typesetter } from '../../core/outside/typesetter.ts'

type Body = {
  subject: string | null
  from: { address: string; name: string | null } | null
  sentAt: string | null
  blocks: readonly BodyBlock[]
}
export async function renderBody(_typesetter: Typesetter, _body: Body): Promise<Buffer> {
  throw new Error('The body of messages is not rendered yet.')
}
