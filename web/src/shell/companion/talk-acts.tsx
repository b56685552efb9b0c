import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hrefOf, read, useWrite } from '../../api.ts'
import { problemText } from '../../refusals.ts'
import { useMay } from '../../session.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Ask, Dialog } from '../../ui/overlays/dialog.tsx'
import { type Entry, Menu } from '../../ui/overlays/menu.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { StepList } from './steps.tsx'
import { companionWords } from './words.ts'

type Of = { talk: { id: string; title: string }; onClose: () => void }

/** What can be done with a talk: its name, everything it did, the talk as a file, and its end. */
export function TalkActs({ talk, onGone }: { talk: Of['talk']; onGone: () => void }) {
  const say = useWords(companionWords)
  const may = useMay()
  const [act, setAct] = useState<'rename' | 'log' | 'remove'>()
  const onClose = () => setAct(undefined)
  const entries: Entry[] = [
    ...(may('companion_write_session')
      ? [{ label: say.rename, icon: 'edit' as const, on: () => setAct('rename') }]
      : []),
    { label: say.log, icon: 'history', on: () => setAct('log') },
    {
      label: say.download,
      icon: 'download',
      on: () => location.assign(hrefOf('companion_read_export', { id: talk.id })),
    },
    ...(may('companion_delete_session')
      ? [{ label: say.remove, icon: 'trash' as const, danger: true, on: () => setAct('remove') }]
      : []),
  ]
  return (
    <>
      <Menu trigger={<Button look="quiet" icon="more" label={say.more} />} entries={entries} />
      {act === 'rename' && <Rename talk={talk} onClose={onClose} />}
      {act === 'log' && <Log talk={talk} onClose={onClose} />}
      {act === 'remove' && <Remove talk={talk} onClose={onClose} onGone={onGone} />}
    </>
  )
}

function Rename({ talk, onClose }: Of) {
  const say = useWords(companionWords)
  const write = useWrite('companion_write_session', ['companion'])
  const form = useForm({
    initial: { title: talk.title },
    save: ({ title }, key) => write.mutateAsync({ id: talk.id, title, key }),
    after: onClose,
  })
  return (
    <FormDialog title={say.rename} act={say.save} form={form} onClose={onClose}>
      <TextField {...form.at('title')} label={say.name} autoFocus />
    </FormDialog>
  )
}

/** Every step of the talk, a page at a time. */
function Log({ talk, onClose }: Of) {
  const say = useWords(companionWords)
  const lang = useLanguage()
  const [page, setPage] = useState(1)
  const { data, error } = useQuery(read('companion_read_runlog', { id: talk.id, page }))
  const steps = data?.steps.filter(({ ref }) => ref) ?? []
  const pages = data?.pagination.totalPages ?? 1
  return (
    <Dialog title={say.log} onClose={onClose} wide reads>
      {error && <Alert>{problemText(lang, error)}</Alert>}
      {!data && !error && <Skeleton className="h-24" />}
      {data && steps.length === 0 && <p className="text-soft">{say.noLog}</p>}
      <StepList steps={steps} />
      {pages > 1 && (
        <div className="flex gap-2">
          <Button isDisabled={page === 1} onPress={() => setPage(page - 1)}>
            {say.before}
          </Button>
          <Button isDisabled={page >= pages} onPress={() => setPage(page + 1)}>
            {say.after}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function Remove({ talk, onClose, onGone }: Of & { onGone: () => void }) {
  const say = useWords(companionWords)
  const lang = useLanguage()
  const write = useWrite('companion_delete_session', ['companion_read_sessions'])
  const act = async () => {
    await write.mutateAsync({ id: talk.id })
    onClose()
    onGone()
  }
  return (
    <Ask
      title={say.removeTitle(talk.title)}
      act={say.remove}
      danger
      busy={write.isPending}
      problem={write.error ? problemText(lang, write.error) : ''}
      onAct={() => void act().catch(() => {})}
      onClose={onClose}
    >
      {say.removeHint}
    </Ask>
  )
}
