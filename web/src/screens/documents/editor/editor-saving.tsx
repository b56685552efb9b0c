import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { session } from '../../../api.ts'
import { isLoadingAgain } from '../../../new-version.ts'
import { useOnline } from '../../../online.ts'
import { refusal } from '../../../refusals.ts'
import { Button } from '../../../ui/button.tsx'
import { Ask } from '../../../ui/overlays/dialog.tsx'
import { say as toast } from '../../../ui/overlays/toast.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { keepTyped, type Saving, type Trouble, typedBefore } from './autosave.ts'
import type { Draft } from './draft.ts'
import { editorWords } from './editor-words.ts'

type SavingProps = { state: Saving; trouble: Trouble | undefined; waits: boolean; onAgain: () => void }

/** Saved, saving, or why not, in words. */
export function SavingState({ state, trouble, waits, onAgain }: SavingProps) {
  const say = useWords(editorWords)
  const lang = useLanguage()
  const text =
    trouble?.kind === 'refused'
      ? `${say.refused}: ${refusal(lang, trouble.refused)}`
      : trouble && trouble.kind !== 'conflict'
        ? say[trouble.kind]
        : waits
          ? say.pickFirst
          : say[state]
  return (
    <>
      <span role="status" className={`text-sm flex-1 ${trouble ? 'text-danger' : 'text-soft'}`}>
        {text}
      </span>
      {trouble && trouble.kind !== 'conflict' && (
        <Button look="quiet" onPress={onAgain}>
          {say.again}
        </Button>
      )}
    </>
  )
}

/**
 * What was typed survives the end of the session: it is saved after signing in over the page, and comes back after leaving
 * it. What could not be sent is saved when the server is back.
 */
export function useKept(
  org: string,
  id: string | undefined,
  draft: Draft,
  { trouble, save }: { trouble: Trouble | undefined; save: () => Promise<boolean> },
) {
  const say = useWords(editorWords)
  const signedOut = trouble?.kind === 'signedOut'
  const [restored] = useState(() => typedBefore(org, id) !== undefined)
  useEffect(() => {
    if (restored) toast(say.restored)
  }, [])
  useEffect(() => keepTyped(org, id, signedOut ? draft : undefined), [org, id, draft, signedOut])
  const { dataUpdatedAt: signedInAt } = useQuery(session)
  useEffect(() => {
    if (signedOut) void save()
  }, [signedInAt])
  const online = useOnline()
  const unsent = trouble?.kind === 'offline'
  useEffect(() => {
    if (online && unsent) void save()
  }, [online, unsent])
}

type LeavingProps = {
  isTyped: boolean
  isSaved: boolean
  isKept: boolean
  hasCustomer: boolean
  save: () => Promise<boolean>
  takeBack: () => Promise<void>
}

/** Saves on the way out, and asks only if that is not possible. Of what was emptied nothing stays. */
export function Leaving({ isTyped, isSaved, isKept, hasCustomer, save, takeBack }: LeavingProps) {
  const say = useWords(editorWords)
  const block = useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) return false
      if (isTyped && !isSaved && !(hasCustomer && (await save()))) return true
      await takeBack()
      return false
    },
    enableBeforeUnload: () => isTyped && !isSaved && !isKept && !isLoadingAgain(),
    withResolver: true,
  })
  if (block.status !== 'blocked') return null
  return (
    <Ask title={say.leaveTitle} act={say.leave} danger onAct={block.proceed} onClose={block.reset}>
      {hasCustomer ? say.leaveOld : say.leaveNew}
    </Ask>
  )
}
