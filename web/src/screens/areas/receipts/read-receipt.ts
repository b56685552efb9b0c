import type { QueryClient } from '@tanstack/react-query'
import { call, hrefOf, type Output, send } from '../../../api.ts'
import { problemText } from '../../../refusals.ts'
import { shownNumber } from '../../../shown.tsx'
import { say as tell } from '../../../ui/overlays/toast.tsx'
import type { Language } from '../../../words.ts'
import { readingKey } from './reading-key.ts'
import { uploadWords } from './upload-words.ts'

type Stored = Output<'expenses_upload'>

/** Stores a file with a new expense. */
function store(organizationId: string, file: File): Promise<Stored> {
  const body = new FormData()
  body.set('organizationId', organizationId)
  body.set('file', file)
  return send<Stored>('POST', hrefOf('expenses_upload', {} as never), body, { key: crypto.randomUUID() })
}

/** Stores a file with a new expense, then has it read, and says what came of it. What cannot be read is filled in by hand. */
export async function readReceipt(
  lang: Language,
  queries: QueryClient,
  organizationId: string,
  file: File,
): Promise<string | undefined> {
  const say = uploadWords[lang]
  let stored: Stored | undefined
  try {
    stored = await store(organizationId, file)
    const result = await call('expenses_scan', { attachmentId: stored.id }, { key: crypto.randomUUID() })
    if (result.scanStatus === 'FAILED')
      tell(result.duplicateOfId ? say.known : say.unreadable, { bad: true, description: file.name })
    else {
      queries.setQueryData(readingKey(stored.id), result.extractedData)
      tell(say.read)
    }
    return result.expenseId
  } catch (error) {
    tell(stored ? say.unreadable : file.name, { bad: true, description: problemText(lang, error as Error) })
    return stored?.expenseId
  }
}

/** Stores several files, each with a new expense, and has them read in the background. Answers the batch that shows the progress. */
export async function readTogether(
  lang: Language,
  organizationId: string,
  files: readonly File[],
): Promise<string | undefined> {
  const attachmentIds: string[] = []
  const fail = (name: string, error: unknown) =>
    tell(name, { bad: true, description: problemText(lang, error as Error) })
  for (const file of files)
    await store(organizationId, file).then(
      ({ id }) => attachmentIds.push(id),
      (error) => fail(file.name, error),
    )
  if (attachmentIds.length === 0) return undefined
  try {
    const { id } = await call('expenses_scan_batch', { organizationId, attachmentIds }, { key: crypto.randomUUID() })
    tell(uploadWords[lang].sentToRead(shownNumber(lang, attachmentIds.length)))
    return id
  } catch (error) {
    fail(uploadWords[lang].unreadable, error)
    return undefined
  }
}
