import { useRef, useState } from 'react'
import { Refused } from '../../api.ts'
import { refusal } from '../../refusals.ts'
import { say as tell } from '../../ui/overlays/toast.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { paymentWords } from './words.ts'

/** What is read again after money has moved. */
export const touched = ['invoices', 'dashboard', 'customers', 'reports']

/** One act of a dialog: under one key until it succeeds, told when it has, its refusal beside the button. */
export function useAct(work: (key: string) => Promise<string>, onDone: () => void) {
  const say = useWords(paymentWords)
  const lang = useLanguage()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const key = useRef(crypto.randomUUID())
  async function go() {
    setBusy(true)
    setProblem('')
    try {
      tell(await work(key.current))
      onDone()
    } catch (error) {
      key.current = crypto.randomUUID()
      setProblem(error instanceof Refused ? refusal(lang, error) : say.failed)
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, go: () => void go() }
}
