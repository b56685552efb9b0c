import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, type Output, Refused } from '../../../api.ts'
import { readAgain } from '../../../ui/lists/read-again.ts'
import { asWritten, type Draft, isEmptyDraft } from './draft.ts'

type Doc = Output<'invoices_get'>
type Warnings = NonNullable<Doc['warnings']>

/** Why the last attempt to save failed. What was typed stays in every case. */
export type Trouble =
  | { kind: 'refused'; refused: Refused }
  /** Somebody else has saved the draft since it was read. */
  | { kind: 'conflict'; refused: Refused; theirs: Doc }
  | { kind: 'signedOut' }
  | { kind: 'offline' }

export type Saving = 'idle' | 'unsaved' | 'saving' | 'saved'
type Known = { id: string; updatedAt: string }
const delay = 600

/** Saves a draft a moment after the last key, once there is something in it. Attempts follow each other, and each names the version that it was made from. */
export function useAutosave({
  org,
  known,
  initial,
  draft,
}: {
  org: string
  known?: Doc
  initial: Draft
  draft: Draft
}) {
  const queries = useQueryClient()
  const [state, setState] = useState<Saving>(known ? 'saved' : 'idle')
  const [trouble, setTrouble] = useState<Trouble>()
  const [doubts, setDoubts] = useState<Warnings>(known?.warnings ?? [])
  const [at, setAt] = useState<Known | undefined>(known && { id: known.id, updatedAt: known.updatedAt })
  const current = useRef({ draft, at, saved: initial })
  current.current.draft = draft
  const unanswered = useRef<Attempt | undefined>(undefined)
  const running = useRef<Promise<boolean> | undefined>(undefined)

  /** Whether there is something to store: without a customer nothing can be, and an empty document is no draft. */
  const isWorth = ({ draft, at }: { draft: Draft; at: Known | undefined }) =>
    draft.customerId !== '' && (at !== undefined || !isEmptyDraft(draft, initial))

  function take(saved: { id: string; updatedAt: string; warnings?: Warnings }) {
    current.current.at = { id: saved.id, updatedAt: saved.updatedAt }
    setAt(current.current.at)
    setDoubts(saved.warnings ?? [])
    void readAgain(queries, /^(invoices|dashboard)/)
  }

  async function attempt(): Promise<boolean> {
    while (current.current.draft !== current.current.saved) {
      const { draft: writing, at: from } = current.current
      unanswered.current ??= { draft: writing, at: from, key: crypto.randomUUID() }
      const { current: sending } = unanswered
      setState('saving')
      try {
        take(await write(org, sending))
        unanswered.current = undefined
        current.current.saved = sending.draft
        setTrouble(undefined)
      } catch (error) {
        if (error instanceof Refused) unanswered.current = undefined
        setState('unsaved')
        setTrouble(await troubleOf(error, sending.at))
        return false
      }
    }
    setState('saved')
    return true
  }

  /** Saves what is not saved yet; answers whether everything is. */
  function save(): Promise<boolean> {
    if (!isWorth(current.current)) return Promise.resolve(current.current.draft === current.current.saved)
    running.current ??= attempt().finally(() => {
      running.current = undefined
    })
    return running.current
  }

  const isConflict = trouble?.kind === 'conflict'
  useEffect(() => {
    if (draft === current.current.saved) return
    setState(isEmptyDraft(draft, initial) && !current.current.at ? 'idle' : 'unsaved')
    if (!isWorth({ ...current.current, draft }) || isConflict) return
    const timer = setTimeout(() => void save(), delay)
    return () => clearTimeout(timer)
  }, [draft, isConflict])

  /** Goes on from another version, which was read or made meanwhile: what is typed is then the difference to it. */
  function goOnFrom(doc: Known | undefined, saved: Draft) {
    current.current = { ...current.current, at: doc, saved }
    unanswered.current = undefined
    setAt(doc)
    setTrouble(undefined)
    setState(saved === current.current.draft ? 'saved' : 'unsaved')
  }

  /** Takes back a draft that was stored here and then emptied, so that nothing is left of it. */
  async function takeBack() {
    await running.current
    const { at, draft } = current.current
    if (known || !at || !isEmptyDraft(draft, initial)) return
    current.current = { ...current.current, at: undefined, saved: draft }
    await call('invoices_delete', { id: at.id }).catch(() => {})
    void readAgain(queries, /^(invoices|dashboard)/)
  }
  return { at, state, trouble, doubts, save, takeBack, goOnFrom }
}

/** What is sent: again under the same key if no answer came, because it may have been saved all the same. */
type Attempt = { draft: Draft; at: Known | undefined; key: string }

const write = (org: string, { draft, at, key }: Attempt) => {
  const sent = { key, waits: false }
  if (!at) return call('invoices_create', { organizationId: org, ...asWritten(draft) }, sent)
  const headers = { 'if-match': `"${at.updatedAt}"` }
  return call('invoices_update', { id: at.id, ...asWritten(draft) }, { ...sent, headers })
}

async function troubleOf(error: unknown, at: Known | undefined): Promise<Trouble> {
  if (!(error instanceof Refused)) return { kind: 'offline' }
  if (error.status === 401) return { kind: 'signedOut' }
  if (error.code !== 'VERSION_CONFLICT' || !at) return { kind: 'refused', refused: error }
  const theirs = await call('invoices_get', { id: at.id }).catch(() => undefined)
  return theirs ? { kind: 'conflict', refused: error, theirs } : { kind: 'offline' }
}

const kept = (org: string, id: string | undefined) => `draft ${org} ${id ?? 'new'}`

/** What could not be saved because the session ended is kept in this tab until it is. */
export function keepTyped(org: string, id: string | undefined, draft: Draft | undefined) {
  if (draft) sessionStorage.setItem(kept(org, id), JSON.stringify(draft))
  else sessionStorage.removeItem(kept(org, id))
}
export function typedBefore(org: string, id: string | undefined): Draft | undefined {
  const text = sessionStorage.getItem(kept(org, id))
  return text === null ? undefined : (JSON.parse(text) as Draft)
}
