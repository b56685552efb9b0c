import { call, hrefOf, type Output, send } from '../../api.ts'
import { problemText } from '../../refusals.ts'
import { say as tell } from '../../ui/toast.tsx'
import type { Language } from '../../words.ts'
import { areaWords } from './words.ts'

/** Stores a file with a new expense, then has it read, and says what came of it. What cannot be read is filled in by hand. */
export async function readReceipt(lang: Language, organizationId: string, file: File): Promise<string | undefined> {
  const say = areaWords[lang]
  const body = new FormData()
  body.set('organizationId', organizationId)
  body.set('file', file)
  let stored: Output<'expenses_upload'> | undefined
  try {
    stored = await send<Output<'expenses_upload'>>('POST', hrefOf('expenses_upload', {} as never), body, {
      key: crypto.randomUUID(),
    })
    const result = await call('expenses_scan', { attachmentId: stored.id }, { key: crypto.randomUUID() })
    if (result.scanStatus === 'FAILED') tell(say.unreadable, { bad: true, description: file.name })
    else tell(say.read, result.duplicateOfId ? { description: say.known } : {})
    return result.expenseId
  } catch (error) {
    tell(stored ? say.unreadable : file.name, { bad: true, description: problemText(lang, error as Error) })
    return stored?.expenseId
  }
}
