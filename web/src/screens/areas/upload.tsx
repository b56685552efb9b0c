import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { hrefOf, type Name, Refused, send } from '../../api.ts'
import { refusal } from '../../refusals.ts'
import { useOrganization } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { say as tell } from '../../ui/toast.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { areaWords } from './words.ts'

/** Chooses a file or takes a photo, sends it, and opens what was made of it. */
export function Upload({ name, onDone }: { name: Name; onDone: (id: string) => void }) {
  const say = useWords(areaWords)
  const lang = useLanguage()
  const queries = useQueryClient()
  const { id: organizationId } = useOrganization()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  async function upload(file: File) {
    setBusy(true)
    try {
      const body = new FormData()
      body.set('organizationId', organizationId)
      body.set('file', file)
      const answer = await send<{ expenseId?: string }>('POST', hrefOf(name, {} as never), body, {
        key: crypto.randomUUID(),
      })
      tell(say.read)
      await queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('expenses') })
      if (answer.expenseId) onDone(answer.expenseId)
    } catch (error) {
      tell(file.name, { bad: true, description: error instanceof Refused ? refusal(lang, error) : String(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*,application/pdf"
        className="sr-only"
        tabIndex={-1}
        aria-label={say.upload}
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) void upload(file)
          event.target.value = ''
        }}
      />
      <Button icon="camera" busy={busy} onPress={() => input.current?.click()}>
        {busy ? say.uploading : say.upload}
      </Button>
    </>
  )
}
