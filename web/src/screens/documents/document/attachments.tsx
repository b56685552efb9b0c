import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { Refused, send } from '../../../api.ts'
import { refusal } from '../../../refusals.ts'
import { useMay } from '../../../session.ts'
import { shownNumber } from '../../../shown.tsx'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { say as toast } from '../../../ui/overlays/toast.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { type Doc, Part } from './content.tsx'
import { documentWords } from './document-words.ts'

/** Files that go along with the letters and stand on the customer's page; added by dropping them here. */
export function Attachments({ doc }: { doc: Doc }) {
  const say = useWords(documentWords)
  const lang = useLanguage()
  const may = useMay()('invoices_attachments')
  const queries = useQueryClient()
  const picker = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [busy, setBusy] = useState(false)
  const files = doc.attachments ?? []
  if (files.length === 0 && !may) return null
  async function add(list: Iterable<File>) {
    setBusy(true)
    for (const file of list) {
      const form = new FormData()
      form.set('file', file)
      try {
        await send('POST', `/api/documents/${doc.id}/attachments`, form, { key: crypto.randomUUID() })
        toast(say.attached(file.name))
      } catch (error) {
        toast(file.name, { bad: true, description: error instanceof Refused ? refusal(lang, error) : say.tooLarge })
      }
    }
    setBusy(false)
    await queries.invalidateQueries({ queryKey: ['invoices_get', { id: doc.id }] })
  }
  const drag = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      void add(event.dataTransfer.files)
    },
  }
  return (
    <Part
      title={say.attachments}
      tools={
        may && (
          <>
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              aria-label={say.attach}
              onChange={(event) => {
                void add([...(event.target.files ?? [])])
                event.target.value = ''
              }}
            />
            <Button look="quiet" icon="attach" busy={busy} onPress={() => picker.current?.click()}>
              {busy ? say.attaching : say.attach}
            </Button>
          </>
        )
      }
    >
      <div {...(may && drag)} className={`rounded-md ${over ? 'outline-2 outline-dashed outline-accent bg-wash' : ''}`}>
        <ul className="grid gap-1">
          {files.map(({ id, fileName, fileSize, storageUrl }) => (
            <li key={id}>
              <a
                href={storageUrl}
                target="_blank"
                rel="noreferrer"
                className="flex items-center gap-2 py-1 hover:underline"
              >
                <Icon name="file" className="text-soft" />
                <bdi className="truncate">{fileName}</bdi>
                <span className="text-sm text-soft" dir="ltr">
                  {shownNumber(lang, Math.ceil(fileSize / 1024))} kB
                </span>
              </a>
            </li>
          ))}
        </ul>
        {files.length === 0 && <p className="text-sm text-soft py-2">{say.dropHere}</p>}
      </div>
    </Part>
  )
}
