import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, hrefOf, type Output, send } from '../../api.ts'
import { problemText } from '../../refusals.ts'
import { useOrganization } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { say as tell } from '../../ui/toast.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { areaWords } from './words.ts'

/** Chooses receipts or takes a photo. Each becomes an expense, which is filled in with what could be read; a single one is opened. */
export function Upload({ onDone }: { onDone: (expenseId: string) => void }) {
  const say = useWords(areaWords)
  const { id: organizationId } = useOrganization()
  const queries = useQueryClient()
  const read = useReading()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  async function upload(files: readonly File[]) {
    setBusy(true)
    const made: (string | undefined)[] = []
    for (const file of files) made.push(await read(organizationId, file))
    setBusy(false)
    await queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('expenses') })
    if (made.length === 1 && made[0]) onDone(made[0])
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*,application/pdf,.xml"
        multiple
        hidden
        aria-label={say.upload}
        onChange={(event) => {
          void upload([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <Button icon="camera" busy={busy} onPress={() => input.current?.click()}>
        {busy ? say.uploading : say.upload}
      </Button>
    </>
  )
}

/** Stores a file with a new expense, then has it read, and says what came of it. What cannot be read is filled in by hand. */
function useReading() {
  const say = useWords(areaWords)
  const lang = useLanguage()
  return async (organizationId: string, file: File): Promise<string | undefined> => {
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
}
