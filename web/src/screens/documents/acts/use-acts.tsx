import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call, type Name, Refused, useWrite } from '../../../api.ts'
import { useKeys } from '../../../keys.ts'
import { refusal } from '../../../refusals.ts'
import { useMay } from '../../../session.ts'
import { Button } from '../../../ui/button.tsx'
import type { IconName } from '../../../ui/icon.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { type Entry, Menu } from '../../../ui/overlays/menu.tsx'
import { say as toast } from '../../../ui/overlays/toast.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import type { Doc } from '../document/content.tsx'
import { documentWords } from '../document/document-words.ts'
import { useRemoveDrafts } from '../editor/remove-draft.ts'
import { useHere } from '../here.ts'
import { type Act, actsOf, nextAct } from './acts.ts'

const ActDialog = lazily(() => import('./act-dialog.tsx'), 'ActDialog')

/** The operation that an act calls: whoever may not call it does not see the act. */
const needs: Record<Act, Name> = {
  edit: 'invoices_update', terms: 'invoices_update', send: 'invoices_send', remind: 'invoices_send', pay: 'invoices_payments',
  credit: 'invoices_memos', debit: 'invoices_memos', convert: 'invoices_convert', duplicate: 'invoices_duplicate',
  dispute: 'invoices_events_post', answer: 'invoices_events_post', resolve: 'invoices_events_post', cancel: 'invoices_cancel',
  link: 'invoices_link', renew: 'invoices_link_renew', allocation: 'invoices_manual_allocation', remove: 'invoices_delete',
} // biome-ignore format: a list of words

const icons: Partial<Record<Act, IconName>> = {
  edit: 'edit', terms: 'edit', send: 'send', remind: 'bell', pay: 'payment', credit: 'undo', debit: 'plus', convert: 'document', duplicate: 'copy',
  dispute: 'flag', answer: 'comment', resolve: 'check', cancel: 'wrong', link: 'link', renew: 'repeat', allocation: 'account', remove: 'trash',
} // biome-ignore format: a list of words

/** What can be done with a document by this person now: buttons, menu, keys (E S P D) and dialogs. */
export function useActs(doc: Doc | undefined, onGone: () => void) {
  const say = useWords(documentWords)
  const { id: org } = useHere()
  const may = useMay()
  const navigate = useNavigate()
  const [open, setOpen] = useState<Act>()
  const direct = useDirectActs(onGone)
  const acts = new Set([...(doc ? actsOf(doc) : [])].filter((act) => may(needs[act])))
  function run(act: Act) {
    if (!doc || !acts.has(act)) return
    if (act === 'edit') void navigate({ to: '/o/$org/documents/$id/edit', params: { org, id: doc.id } })
    else if (act === 'duplicate' || act === 'link' || act === 'remove') void direct[act](doc)
    else setOpen(act)
  }
  useKeys({
    e: () => run(acts.has('edit') ? 'edit' : 'terms'),
    s: () => run('send'),
    p: () => run('pay'),
    d: () => run('duplicate'),
  })
  const names: Record<Act, string> = {
    ...say,
    send: doc?.status === 'DRAFT' ? say.sendDraft : doc?.status === 'UNSENT' ? say.send : say.sendAgain,
  }
  const dialog = doc && open && acts.has(open) && (
    <ActDialog act={open} doc={doc} onClose={() => setOpen(undefined)} onUrl={direct.copy} />
  )
  return { acts, run, names, dialog, next: doc && nextAct(acts, doc.status) }
}
type Acts = ReturnType<typeof useActs>

/** Those that need no dialog. */
function useDirectActs(onGone: () => void) {
  const say = useWords(documentWords)
  const lang = useLanguage()
  const { id: org } = useHere()
  const navigate = useNavigate()
  const removeDrafts = useRemoveDrafts()
  const copies = useWrite('invoices_duplicate')
  const tell = (error: unknown) => toast(error instanceof Refused ? refusal(lang, error) : String(error), { bad: true })
  async function copy(url: string) {
    try {
      await navigator.clipboard.writeText(url)
      toast(say.linkCopied)
    } catch {
      toast(say.copyFailed, { description: url })
    }
  }
  return {
    copy,
    link: ({ id }: Doc) => call('invoices_link', { id }).then(({ url }) => copy(url), tell),
    duplicate: ({ id }: Doc) =>
      copies.mutateAsync({ id }).then((made) => {
        toast(say.duplicated)
        return navigate({ to: '/o/$org/documents/$id/edit', params: { org, id: made.id } })
      }, tell),
    remove: ({ id }: Doc) => {
      removeDrafts([id])
      onGone()
    },
  }
}

const keys: Partial<Record<Act, string>> = { edit: 'E', terms: 'E', send: 'S', pay: 'P', duplicate: 'D' }
const shown: readonly Act[] = ['send', 'pay', 'edit']
const menu: readonly (readonly Act[])[] = [
  ['remind', 'duplicate', 'terms', 'link', 'renew'],
  ['dispute', 'answer', 'resolve', 'convert', 'debit', 'allocation'],
  ['credit', 'cancel', 'remove'],
]

/** The likely acts as buttons, the one that comes next in green. */
export const ActButtons = ({ acts, run, names, next }: Acts) => (
  <div className="flex flex-wrap gap-2">
    {shown
      .filter((act) => acts.has(act))
      .map((act) => (
        <Button
          key={act}
          look={act === next ? 'primary' : 'plain'}
          icon={icons[act]}
          keys={keys[act] ?? ''}
          onPress={() => run(act)}
        >
          {names[act]}
        </Button>
      ))}
  </div>
)

/** The rare ones, those that cannot be taken back last. */
export function ActMenu({ acts, run, names }: Acts) {
  const say = useWords(documentWords)
  const groups = menu.map((group) => group.filter((act) => acts.has(act))).filter((group) => group.length > 0)
  const entries = groups.flatMap((group, at): Entry[] => [
    ...(at > 0 ? (['rule'] as const) : []),
    ...group.map((act) => ({
      label: names[act],
      on: () => run(act),
      danger: act === 'credit' || act === 'cancel' || act === 'remove',
      ...(icons[act] && { icon: icons[act] }),
      ...(keys[act] && { keys: keys[act] }),
    })),
  ])
  return entries.length > 0 ? (
    <Menu trigger={<Button look="quiet" icon="more" label={say.more} />} entries={entries} />
  ) : null
}
