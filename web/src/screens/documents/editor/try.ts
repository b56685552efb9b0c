import { useRef, useState } from 'react'
import { Refused } from '../../../api.ts'
import { refusal } from '../../../refusals.ts'
import { useLanguage, useWords, words } from '../../../words.ts'

const said = words(
  { network: 'The server could not be reached. Try again: it is not done twice.' },
  { network: 'אין קשר עם השרת. נסו שוב: הפעולה לא תבוצע פעמיים.' },
)

/** An act of a dialog: busy meanwhile, the refusal in words, and one key for all attempts, so that it is done once. */
export function useTry() {
  const lang = useLanguage()
  const say = useWords(said)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const key = useRef(crypto.randomUUID())
  async function act(work: (key: string) => Promise<void>) {
    if (busy) return
    setBusy(true)
    setProblem('')
    try {
      await work(key.current)
    } catch (error) {
      if (error instanceof Refused) key.current = crypto.randomUUID()
      setProblem(error instanceof Refused ? refusal(lang, error) : say.network)
    } finally {
      setBusy(false)
    }
  }
  return { act, busy, problem }
}
