import { nullable, Text, Type } from '../core/define/schema.ts'
import type { FileAnswer } from '../core/files/file.ts'

/** The structured content of a file answer: the description of the file, without its bytes. */
export const FileDescription = Type.Object({
  fileName: Text,
  fileType: Text,
  fileSize: Type.Optional(nullable(Type.Integer())),
  link: Type.Optional(Text),
})

/** Files up to this size are embedded in the answer; larger ones are sent as a link if they have one. */
const embeddedMaxBytes = 1024 * 1024

/** A file as MCP content: an embedded resource, or the signed link to a large one. */
export async function fileContent({ fileName, fileType, fileSize = 0, link, open }: FileAnswer): Promise<object> {
  if (link && fileSize > embeddedMaxBytes) {
    return { type: 'resource_link', uri: link, name: fileName, mimeType: fileType, size: fileSize }
  }
  const chunks: Buffer[] = []
  for await (const chunk of await open()) chunks.push(chunk as Buffer)
  const uri = link ?? `kontor:///files/${encodeURIComponent(fileName)}`
  return { type: 'resource', resource: { uri, mimeType: fileType, blob: Buffer.concat(chunks).toString('base64') } }
}
