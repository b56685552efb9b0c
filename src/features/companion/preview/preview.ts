import type { Operation } from '../../../core/define/operation.ts'
import { canonicalJson } from '../../../core/values/canonical-json.ts'
import { sha256 } from '../../../core/values/id.ts'

export type Preview = {
  tool: string
  input: Record<string, unknown>
  title: { en: string; he: string }
  lines: { label: { en: string; he: string }; value: string }[]
  mail?: { to: string[]; subject: string; text: string; attachments: string[] }
  warnings: string[]
  fingerprint: string
}

export async function previewOf(
  _: { call(tool: string, input: Record<string, unknown>): Promise<unknown> },
  operation: Operation,
  input: Record<string, unknown>,
): Promise<Preview> {
  const title = { en: operation.does, he: operation.does }
  return {
    tool: operation.name,
    input,
    title,
    lines: [],
    warnings: [],
    fingerprint: sha256(canonicalJson(JSON.stringify(input))).toString('hex'),
  }
}
